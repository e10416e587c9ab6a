// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.api.chartrollout.ChartRolloutPhase.ABORTED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.AWAITING_APPROVAL;
import static io.krypton.api.chartrollout.ChartRolloutPhase.COMPLETED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.HALTED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PAUSED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PENDING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PLANNED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PROGRESSING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.ROLLED_BACK;
import static io.krypton.api.chartrollout.ChartRolloutPhase.ROLLING_BACK;
import static io.krypton.api.chartrollout.ChartRolloutPhase.SOAKING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.SUPERSEDED;
import static io.krypton.operator.classes.decide.RolloutSimulation.STABLE;
import static io.krypton.operator.classes.decide.RolloutSimulation.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutConditionTypes;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each transition between the phases of a rollout. */
class RolloutDeciderTest {
  private static final String WAVES =
      """
      waves:
      - {name: one, clusters: {matchLabels: {ring: "1"}}, soak: 5m, approval: Required}
      - {name: two, clusters: {matchLabels: {ring: "2"}}, maxConcurrent: 2}
      progressDeadline: 3m
      """;

  private final RolloutSimulation rollout = rollout("");

  private static RolloutSimulation rollout(String more) {
    var rollout = new RolloutSimulation(WAVES + more);
    rollout.installed(2, "one-", "1");
    rollout.installed(4, "two-", "2");
    rollout.installed(3, "rest-", "3");
    return rollout;
  }

  @Test
  void it_goes_from_wave_to_wave_until_it_is_complete() {
    assertThat(rollout.settle()).isEqualTo(PROGRESSING);
    assertThat(rollout.after(Duration.ofMinutes(1))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(4))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(2))).isEqualTo(AWAITING_APPROVAL);
    assertThat(rollout.after(Duration.ofHours(30))).isEqualTo(AWAITING_APPROVAL);
    assertThat(rollout.on(TARGET)).isEqualTo(2);

    rollout.approved.add("one");
    assertThat(rollout.settle()).isEqualTo(PROGRESSING);
    assertThat(rollout.status.wave()).isEqualTo("two");
    assertThat(rollout.finish()).isEqualTo(COMPLETED);

    assertThat(rollout.on(TARGET)).isEqualTo(9);
    assertThat(rollout.status.updated()).isEqualTo("9/9");
    assertThat(rollout.status.completedAt()).isNotNull();
    assertThat(rollout.targets.values()).allMatch(target -> target.timesMoved == 2);
    assertThat(rollout.events())
        .containsExactly(
            "RolloutStarted",
            "RolloutSoaking",
            "RolloutAwaitingApproval",
            "RolloutApproved",
            "RolloutWaveCompleted",
            "RolloutWaveCompleted",
            "RolloutWaveCompleted",
            "RolloutCompleted");
  }

  @Test
  void an_approval_may_come_before_it_is_needed() {
    rollout.approved.add("one");

    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    assertThat(rollout.events()).doesNotContain("RolloutAwaitingApproval");
  }

  @Test
  void a_plan_waits_until_it_is_to_run() {
    rollout.run(Run.PLANNED);
    assertThat(rollout.after(Duration.ofMinutes(5))).isEqualTo(PLANNED);
    assertThat(rollout.on(TARGET)).isZero();
    assertThat(rollout.status.startedAt()).isNull();

    assertThat(rollout.run(Run.RUNNING).settle()).isEqualTo(PROGRESSING);
    assertThat(rollout.on(TARGET)).isEqualTo(2);
  }

  @Test
  void a_plan_that_the_class_takes_back_is_over() {
    rollout.run(Run.PLANNED).settle();
    rollout.wanted = STABLE;

    assertThat(rollout.settle()).isEqualTo(SUPERSEDED);
  }

  @Test
  void it_waits_for_a_window_and_says_when_that_opens() {
    var windows = "windows: [{kind: Allow, schedule: '0 9 * * *', duration: 1h}]\n";
    var waiting = rollout(windows);

    assertThat(waiting.settle()).isEqualTo(PENDING);
    assertThat(waiting.status.startedAt()).isNull();
    assertThat(condition(waiting, ChartRolloutConditionTypes.PROGRESSING))
        .isEqualTo(
            "TRUE Pending: wave 1 of 3 (one) waits for a window, which opens at"
                + " 2026-05-04T09:00:00Z");
    assertThat(Objects.requireNonNull(waiting.last).requeueAfter()).isEqualTo(Duration.ofHours(1));
    assertThat(waiting.after(Duration.ofHours(1))).isEqualTo(PROGRESSING);
    assertThat(waiting.status.startedAt()).isEqualTo(Instant.parse("2026-05-04T09:00:00Z"));
  }

  @Test
  void more_failures_than_may_be_halt_it() {
    rollout.neverReady.add(TARGET + "/one-0");
    rollout.settle();

    assertThat(rollout.after(Duration.ofMinutes(3))).isEqualTo(PROGRESSING);
    assertThat(rollout.after(Duration.ofSeconds(20))).isEqualTo(HALTED);

    assertThat(rollout.on(TARGET)).isEqualTo(2);
    assertThat(rollout.status.failed()).isEqualTo(1);
    assertThat(rollout.status.failures())
        .singleElement()
        .satisfies(
            failure -> {
              assertThat(failure.cluster()).isEqualTo("edge-1");
              assertThat(failure.object()).isEqualTo("tenant/team/one-0");
              assertThat(failure.reason()).isEqualTo("WorkloadsNotReady");
            });
    assertThat(condition(rollout, ChartRolloutConditionTypes.DEGRADED))
        .isEqualTo(
            "TRUE TooManyFailed: more releases of wave 1 of 3 (one) failed than maxFailures (0)"
                + " allows");
    assertThat(rollout.after(Duration.ofHours(2))).isEqualTo(HALTED);
    assertThat(rollout.events()).containsOnlyOnce("RolloutHalted");
  }

  @Test
  void what_only_a_change_helps_fails_before_its_deadline() {
    rollout.neverReady.add(TARGET + "/one-0");
    rollout.settle();
    rollout.after(Duration.ofSeconds(10));
    rollout.targets.values().iterator().next().stalled = true;

    assertThat(rollout.settle()).isEqualTo(HALTED);
  }

  @Test
  void as_many_as_may_fail_do_not_stop_it() {
    var tolerant = rollout("maxFailures: 50%\n");
    tolerant.neverReady.add(TARGET + "/one-0");
    tolerant.approved.add("one");

    assertThat(tolerant.finish()).isEqualTo(COMPLETED);
    assertThat(tolerant.status.failed()).isEqualTo(1);
  }

  @Test
  void with_continue_failures_are_only_counted() {
    var careless = rollout("onFailure: Continue\n");
    careless.neverReady.add(TARGET);
    careless.approved.add("one");

    assertThat(careless.finish()).isEqualTo(COMPLETED);
    assertThat(careless.status.failed()).isEqualTo(9);
    assertThat(condition(careless, ChartRolloutConditionTypes.DEGRADED))
        .startsWith("TRUE TooManyFailed");
  }

  @Test
  void a_retry_goes_on_with_a_new_deadline_and_another_soak() {
    rollout.neverReady.add(TARGET + "/one-0");
    rollout.settle();
    rollout.after(Duration.ofMinutes(4));
    assertThat(rollout.phase()).isEqualTo(HALTED);

    rollout.retryAt = "1";
    assertThat(rollout.settle()).isEqualTo(PROGRESSING);
    assertThat(rollout.status.lastHandledRetryAt()).isEqualTo("1");
    assertThat(rollout.events()).contains("RolloutRetried");
    assertThat(rollout.after(Duration.ofMinutes(3))).isEqualTo(PROGRESSING);
    assertThat(rollout.after(Duration.ofSeconds(20))).isEqualTo(HALTED);

    rollout.retryAt = "2";
    rollout.settle();
    rollout.targets.values().iterator().next().recover();
    assertThat(rollout.settle()).isEqualTo(SOAKING);
  }

  @Test
  void with_rollback_the_waves_go_back_without_a_soak_and_the_revision_is_refused() {
    var careful = rollout("onFailure: Rollback\n");
    careful.approved.add("one");
    careful.neverReady.add(TARGET + "/two-3");
    careful.finish();

    assertThat(careful.phase()).isEqualTo(ROLLED_BACK);
    assertThat(careful.on(STABLE)).isEqualTo(9);
    assertThat(Objects.requireNonNull(careful.last).refused()).isTrue();
    assertThat(careful.events())
        .endsWith("RolloutRollingBack", "RolloutRolledBack")
        .doesNotContain("RolloutHalted");
    assertThat(careful.targets.values().stream().filter(it -> it.key.name().startsWith("rest")))
        .allMatch(it -> it.timesMoved == 1);
  }

  @Test
  void the_last_wave_goes_back_first_and_within_its_slots() {
    var careful = rollout("onFailure: Rollback\n");
    careful.approved.add("one");
    careful.neverReady.add(TARGET + "/rest-0");
    while (careful.phaseOrNull() != ROLLING_BACK) {
      careful.after(Duration.ofSeconds(10));
    }
    assertThat(careful.status.wave()).isEqualTo("rest");

    careful.settle();
    assertThat(careful.onInRing(STABLE, "3")).isEqualTo(3);
    assertThat(careful.onInRing(STABLE, "2")).isZero();
    careful.after(Duration.ofSeconds(30));
    assertThat(careful.status.wave()).isEqualTo("two");
    assertThat(careful.onInRing(STABLE, "2")).isEqualTo(2);
    assertThat(careful.onInRing(STABLE, "1")).isZero();
    assertThat(careful.finish()).isEqualTo(ROLLED_BACK);
  }

  @Test
  void what_does_not_become_ready_on_the_way_back_does_not_stop_it() {
    var careful = rollout("onFailure: Rollback\n");
    careful.approved.add("one");
    careful.neverReady.add(TARGET + "/two-0");
    careful.neverReady.add(STABLE + "/two-1");

    assertThat(careful.finish()).isEqualTo(ROLLED_BACK);
    assertThat(careful.on(STABLE)).isEqualTo(9);
  }

  @Test
  void without_a_stable_revision_a_rollback_is_a_halt() {
    var first = new RolloutSimulation(WAVES + "onFailure: Rollback\n").first();
    first.installed("one-0", "1").put("other", first.now);
    first.neverReady.add(TARGET);

    first.settle();
    assertThat(first.after(Duration.ofMinutes(4))).isEqualTo(HALTED);
  }

  @Test
  void a_pause_holds_it_in_each_phase_and_it_goes_on_where_it_was() {
    rollout.settle();
    assertThat(rollout.run(Run.PAUSED).settle()).isEqualTo(PAUSED);
    rollout.after(Duration.ofMinutes(10));
    assertThat(rollout.on(TARGET)).isEqualTo(2);
    assertThat(rollout.status.wave()).isEqualTo("one");

    assertThat(rollout.run(Run.RUNNING).settle()).isEqualTo(SOAKING);
    assertThat(rollout.run(Run.PAUSED).settle()).isEqualTo(PAUSED);
    rollout.after(Duration.ofMinutes(10));
    assertThat(rollout.run(Run.RUNNING).settle()).isEqualTo(AWAITING_APPROVAL);
    rollout.run(Run.PAUSED).settle();
    rollout.approved.add("one");
    assertThat(rollout.after(Duration.ofMinutes(10))).isEqualTo(PAUSED);
    assertThat(rollout.run(Run.RUNNING).finish()).isEqualTo(COMPLETED);
    assertThat(rollout.events()).contains("RolloutPaused", "RolloutResumed");
  }

  @Test
  void a_rollback_can_be_paused_too() {
    rollout.settle();
    rollout.wanted = STABLE;
    assertThat(rollout.run(Run.PAUSED).settle()).isEqualTo(PAUSED);
    assertThat(rollout.status.rollbackStartedAt()).isNotNull();
    assertThat(rollout.on(TARGET)).isEqualTo(2);

    assertThat(rollout.run(Run.RUNNING).finish()).isEqualTo(ROLLED_BACK);
    assertThat(rollout.on(STABLE)).isEqualTo(9);
  }

  @ParameterizedTest
  @EnumSource(
      value = Run.class,
      names = {"PLANNED", "RUNNING", "PAUSED"})
  void an_abort_leaves_everybody_where_they_are(Run before) {
    rollout.settle();
    rollout.run(before).settle();

    assertThat(rollout.run(Run.ABORTED).settle()).isEqualTo(ABORTED);
    rollout.after(Duration.ofMinutes(5));
    assertThat(rollout.on(TARGET)).isEqualTo(2);
    assertThat(rollout.on(STABLE)).isEqualTo(7);
    assertThat(rollout.run(Run.RUNNING).settle()).as("for good").isEqualTo(ABORTED);
    assertThat(rollout.events()).endsWith("RolloutAborted");
  }

  @Test
  void a_halted_one_can_be_aborted_superseded_and_taken_back() {
    assertThat(halted().run(Run.ABORTED).settle()).isEqualTo(ABORTED);
    var superseded = halted();
    superseded.wanted = "other";
    assertThat(superseded.settle()).isEqualTo(SUPERSEDED);
    var takenBack = halted();
    takenBack.wanted = STABLE;
    assertThat(takenBack.finish()).isEqualTo(ROLLED_BACK);
    assertThat(Objects.requireNonNull(takenBack.last).refused()).isFalse();
  }

  private static RolloutSimulation halted() {
    var halted = rollout("");
    halted.neverReady.add(TARGET + "/one-0");
    halted.settle();
    assertThat(halted.after(Duration.ofMinutes(4))).isEqualTo(HALTED);
    return halted;
  }

  @Test
  void a_retry_of_what_was_rolled_back_or_aborted_asks_for_a_new_rollout() {
    rollout.run(Run.ABORTED).settle();
    assertThat(rollout.decide().restart()).isFalse();
    rollout.retryAt = "1";
    assertThat(rollout.decide().restart()).isTrue();
    assertThat(rollout.phase()).isEqualTo(ABORTED);
  }

  @Test
  void who_was_told_to_update_and_went_away_before_needs_another_slot() {
    var dark = new RolloutSimulation("maxConcurrent: 2\n");
    dark.installed(6, "dark-", "1");
    var first = dark.decide().admitted();
    assertThat(first).hasSize(2);
    first.forEach(key -> Objects.requireNonNull(dark.targets.get(key)).reachable = false);

    assertThat(dark.decide().admitted()).hasSize(2).doesNotContainAnyElementsOf(first);
    first.forEach(key -> Objects.requireNonNull(dark.targets.get(key)).reachable = true);
    dark.decide();
    dark.act();
    assertThat(dark.on(TARGET)).isEqualTo(2);
    assertThat(dark.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void what_has_ended_is_not_written_again() {
    rollout.approved.add("one");
    rollout.finish();
    var status = rollout.status;

    rollout.installed(3, "late-", "3");
    rollout.targets.values().iterator().next().breakDown();
    rollout.after(Duration.ofMinutes(5));

    assertThat(rollout.status).isEqualTo(status);
  }

  @Test
  void the_same_state_gives_the_same_status() {
    rollout.settle();
    var status = rollout.status;

    rollout.pass(Duration.ofSeconds(7));
    assertThat(rollout.decide().status()).isEqualTo(status);
  }

  static String condition(RolloutSimulation rollout, String type) {
    var condition = ConditionList.find(rollout.status.conditions(), type).orElseThrow();
    assertThat(condition.lastTransitionTime()).isNotNull();
    assertThat(condition.status()).isNotEqualTo(ConditionStatus.UNKNOWN);
    return "%s %s: %s".formatted(condition.status(), condition.reason(), condition.message());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.api.chartrollout.ChartRolloutPhase.COMPLETED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.HALTED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PAUSED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PENDING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.PROGRESSING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.ROLLED_BACK;
import static io.krypton.api.chartrollout.ChartRolloutPhase.SOAKING;
import static io.krypton.api.chartrollout.ChartRolloutPhase.SUPERSEDED;
import static io.krypton.operator.classes.decide.RolloutSimulation.STABLE;
import static io.krypton.operator.classes.decide.RolloutSimulation.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutConditionTypes;
import java.time.Duration;
import java.util.Objects;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may happen in the middle of a rollout, and what becomes of it. */
class RolloutCasesTest {
  private static final String WAVES =
      """
      waves:
      - {name: one, clusters: {matchLabels: {ring: "1"}}, soak: 5m}
      - {name: two, clusters: {matchLabels: {ring: "2"}}, maxConcurrent: 2}
      progressDeadline: 3m
      """;

  private final RolloutSimulation rollout = rollout("");

  private static RolloutSimulation rollout(String more) {
    var rollout = new RolloutSimulation(WAVES + more);
    rollout.installed(5, "one-", "1");
    rollout.installed(4, "two-", "2");
    rollout.installed(3, "rest-", "3");
    return rollout;
  }

  private SimulatedTarget target(String name) {
    return rollout.targets.values().stream()
        .filter(it -> it.key.name().equals(name))
        .findFirst()
        .orElseThrow();
  }

  @ParameterizedTest
  @ValueSource(strings = {"1", "2", "3"})
  void a_new_tenant_is_installed_at_once_and_follows_its_wave(String ring) {
    rollout.settle();
    var added = rollout.added("new", ring);

    rollout.settle();
    assertThat(added.revision).isNotNull();
    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    rollout.after(Duration.ofMinutes(2));
    assertThat(added.revision).isEqualTo(TARGET);
  }

  @Test
  void a_new_tenant_of_a_wave_that_has_passed_gets_the_target_and_counts_from_then_on() {
    var slow =
        new RolloutSimulation(
            """
            waves:
            - {name: one, clusters: {matchLabels: {ring: "1"}}}
            - {name: two, clusters: {matchLabels: {ring: "2"}}, soak: 1h}
            progressDeadline: 3m
            """);
    slow.installed(5, "one-", "1");
    slow.installed(1, "two-", "2");
    slow.settle();
    assertThat(slow.after(Duration.ofMinutes(6))).isEqualTo(SOAKING);
    var added = slow.added("new", "1");
    slow.neverReady.add(TARGET + "/new");

    slow.settle();
    assertThat(added.revision).isEqualTo(TARGET);
    assertThat(slow.wave("one").total()).isEqualTo(6);
    assertThat(slow.after(Duration.ofMinutes(4))).isEqualTo(HALTED);
    assertThat(slow.status.wave()).isEqualTo("two");
  }

  @Test
  void new_tenants_that_cannot_be_installed_hold_nothing_up() {
    rollout.added("broken", "1").reachable = false;
    rollout.added("broken-too", "2").reachable = false;

    assertThat(rollout.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void a_cluster_that_does_not_answer_frees_its_slots_and_stops_the_deadline() {
    var slow =
        new RolloutSimulation(
            """
            waves: [{name: one, clusters: {matchLabels: {ring: "1"}}, soak: 1h}]
            maxConcurrent: 2
            maxUnreachable: 50%
            progressDeadline: 3m
            """);
    slow.installed(4, "one-", "1");
    slow.neverReady.add(TARGET + "/one-0");
    slow.settle();
    var away = slow.targets.values().iterator().next();
    slow.after(Duration.ofMinutes(2));
    assertThat(slow.on(TARGET)).isEqualTo(4);
    away.reachable = false;

    assertThat(slow.after(Duration.ofMinutes(4))).isEqualTo(SOAKING);
    assertThat(slow.wave("one").unreachable()).isEqualTo(1);
    assertThat(slow.wave("one").failed()).isZero();
    away.reachable = true;
    assertThat(slow.after(Duration.ofSeconds(50))).isEqualTo(SOAKING);
    assertThat(slow.wave("one").failed()).isZero();
    assertThat(slow.after(Duration.ofSeconds(30))).isEqualTo(HALTED);
  }

  @Test
  void a_wave_passes_within_max_unreachable_and_they_catch_up_within_max_concurrent() {
    var dark = new RolloutSimulation("maxConcurrent: 2\nmaxUnreachable: 40%\n");
    dark.installed(10, "dark-", "1");
    IntStream.range(0, 4).forEach(i -> nth(dark, i).reachable = false);

    assertThat(dark.finish()).isEqualTo(COMPLETED);
    assertThat(dark.on(TARGET)).isEqualTo(6);
    IntStream.range(0, 4).forEach(i -> nth(dark, i).reachable = true);
    dark.settle();
    assertThat(dark.on(TARGET)).isEqualTo(8);
    dark.after(Duration.ofSeconds(30));
    assertThat(dark.on(TARGET)).isEqualTo(10);
  }

  private static SimulatedTarget nth(RolloutSimulation rollout, int index) {
    return rollout.targets.values().stream().skip(index).findFirst().orElseThrow();
  }

  @Test
  void a_wave_with_more_unreachable_than_may_be_waits_and_says_so() {
    var dark = new RolloutSimulation("maxUnreachable: 20%\n");
    dark.installed(10, "dark-", "1");
    IntStream.range(0, 3).forEach(i -> nth(dark, i).reachable = false);

    dark.settle();
    assertThat(dark.after(Duration.ofHours(3))).isEqualTo(PROGRESSING);
    assertThat(RolloutDeciderTest.condition(dark, ChartRolloutConditionTypes.DEGRADED))
        .isEqualTo(
            "TRUE TooManyUnreachable: more releases of wave 1 of 1 (rest) are on clusters that do"
                + " not answer than maxUnreachable (20%) allows");
    nth(dark, 0).reachable = true;
    assertThat(dark.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void a_new_leader_goes_on_where_the_old_one_was_and_moves_nobody_twice() {
    rollout.settle();
    for (int i = 0; i < 100 && !rollout.phase().isFinal(); i++) {
      rollout.restart();
      rollout.pass(Duration.ofSeconds(13));
      rollout.decide();
      rollout.act();
      rollout.pass(Duration.ofSeconds(7));
      rollout.decide();
    }

    assertThat(rollout.phase()).isEqualTo(COMPLETED);
    assertThat(rollout.targets.values()).allMatch(target -> target.timesMoved == 2);
  }

  @Test
  void a_leader_that_fell_before_anybody_acted_loses_nothing() {
    rollout.decide();
    assertThat(rollout.memory.flights()).hasSize(5);
    rollout.restart();

    assertThat(rollout.decide().admitted()).hasSize(5);
  }

  @Test
  void a_second_change_supersedes_the_first_and_begins_with_the_first_wave() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(6));
    rollout.wanted = "third-hash";
    assertThat(rollout.settle()).isEqualTo(SUPERSEDED);
    int onTarget = (int) rollout.on(TARGET);
    assertThat(onTarget).isEqualTo(9);
    rollout.after(Duration.ofMinutes(5));
    assertThat(rollout.on(TARGET)).as("nobody else").isEqualTo(onTarget);

    // The second one: who got the first change stays on it until its wave comes.
    var second = new RolloutSimulation(WAVES);
    second.installed("one-0", "1").put("third-hash", second.now.minusSeconds(60));
    var ahead = second.installed("two-0", "2");
    ahead.put("third-hash", second.now.minusSeconds(60));
    assertThat(second.settle()).isEqualTo(PROGRESSING);
    assertThat(second.status.wave()).isEqualTo("one");
    assertThat(ahead.revision).isEqualTo("third-hash");
    assertThat(second.finish()).isEqualTo(COMPLETED);
    assertThat(ahead.revision).isEqualTo(TARGET);
  }

  @Test
  void a_change_back_in_the_middle_is_a_rollback_on_the_fast_path() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(6));
    rollout.wanted = STABLE;

    assertThat(rollout.finish()).isEqualTo(ROLLED_BACK);
    assertThat(rollout.on(STABLE)).isEqualTo(12);
    assertThat(Objects.requireNonNull(rollout.last).refused()).isFalse();
    assertThat(rollout.events()).doesNotContain("RolloutHalted").endsWith("RolloutRolledBack");
  }

  @Test
  void who_comes_back_after_a_rollback_goes_back_too() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(1));
    var away = target("one-0");
    away.reachable = false;
    rollout.wanted = STABLE;
    assertThat(rollout.finish()).isEqualTo(ROLLED_BACK);
    assertThat(away.revision).isEqualTo(TARGET);

    away.reachable = true;
    rollout.settle();
    assertThat(away.revision).isEqualTo(STABLE);
  }

  @Test
  void own_values_in_the_middle_are_applied_to_the_revision_of_the_wave() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(1));
    assertThat(rollout.phase()).isEqualTo(SOAKING);
    var done = target("one-0");

    done.current = false; // Edited, and Helm has not run yet.
    assertThat(rollout.settle()).isEqualTo(SOAKING);
    assertThat(rollout.desired(done)).isEqualTo("TARGET");
    done.breakDown();
    done.update(rollout.now);
    assertThat(rollout.settle()).isEqualTo(SOAKING);
    assertThat(rollout.desired(target("rest-0"))).isEqualTo("STABLE");
    assertThat(rollout.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void own_values_that_break_a_release_after_it_was_ready_do_not_halt_the_fleet() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(1));
    var done = target("one-0");
    rollout.neverReady.add(TARGET + "/one-0");
    done.breakDown();
    done.update(rollout.now);

    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    assertThat(rollout.status.failed()).isZero();
  }

  @Test
  void who_degrades_in_the_soak_has_failed() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(3));
    assertThat(rollout.phase()).isEqualTo(SOAKING);
    target("one-0").breakDown();

    assertThat(rollout.settle()).isEqualTo(HALTED);
  }

  @Test
  void who_degrades_after_its_wave_does_not_count() {
    rollout.settle();
    rollout.after(Duration.ofMinutes(6));
    assertThat(rollout.status.wave()).isEqualTo("two");
    target("one-0").breakDown();

    assertThat(rollout.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void who_was_failing_before_is_listed_apart_and_eats_no_budget() {
    rollout.neverReady.add(TARGET + "/one-0");
    var sick = target("one-0");
    sick.breakDown();
    rollout.pass(Duration.ofMinutes(5));

    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    assertThat(sick.revision).as("it may be the cure").isEqualTo(TARGET);
    assertThat(rollout.status.failures()).isEmpty();
    assertThat(rollout.status.alreadyFailing())
        .singleElement()
        .satisfies(it -> assertThat(it.object()).isEqualTo("tenant/team/one-0"));
  }

  @Test
  void the_waves_of_a_rollout_are_those_of_its_snapshot() {
    assertThat(rollout.input().spec().policy().waves()).hasSize(2);
    rollout.settle();

    assertThat(rollout.status.waves())
        .extracting(it -> it.name())
        .containsExactly("one", "two", "rest");
  }

  @Test
  void when_a_window_closes_nothing_new_begins_what_runs_ends_and_first_installs_go_on() {
    var open =
        new RolloutSimulation(
            """
            maxConcurrent: 2
            windows: [{kind: Deny, schedule: '1 8 * * *', duration: 1h}]
            """);
    open.installed(6, "t-", "1");
    open.settle();
    assertThat(open.on(TARGET)).isEqualTo(2);

    open.after(Duration.ofSeconds(70));
    assertThat(open.on(TARGET)).as("began before 08:01").isEqualTo(4);
    assertThat(open.after(Duration.ofMinutes(2))).isEqualTo(PENDING);
    assertThat(open.on(TARGET)).isEqualTo(4);
    assertThat(open.wave("rest").ready()).isEqualTo(4);
    assertThat(open.desired(nth(open, 5))).isEqualTo("stay: WINDOW_CLOSED");
    var added = open.added("new", "1");
    open.settle();
    assertThat(added.revision).isEqualTo(STABLE);
    assertThat(open.after(Duration.ofHours(1))).isEqualTo(COMPLETED);
  }

  @Test
  void a_rollback_does_not_wait_for_a_window() {
    var open =
        new RolloutSimulation(
            """
            onFailure: Rollback
            progressDeadline: 2m
            windows: [{kind: Deny, schedule: '1 8 * * *', duration: 9h}]
            """);
    open.installed(3, "t-", "1");
    open.neverReady.add(TARGET);

    open.settle();
    assertThat(open.after(Duration.ofMinutes(4))).isEqualTo(ROLLED_BACK);
  }

  @Test
  void a_promoted_one_goes_ahead_of_its_wave_and_counts_in_it() {
    rollout.settle();
    var promoted = target("rest-0");
    promoted.promoted = true;

    rollout.settle();
    assertThat(promoted.revision).isEqualTo(TARGET);
    assertThat(rollout.wave("rest").updated()).isEqualTo(1);
    assertThat(target("rest-1").revision).isEqualTo(STABLE);
    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    assertThat(promoted.timesMoved).isEqualTo(2);
  }

  @Test
  void a_promoted_one_is_not_held_by_a_pause_but_by_a_halt() {
    rollout.settle();
    rollout.run(Run.PAUSED).settle();
    target("rest-0").promoted = true;
    assertThat(rollout.settle()).isEqualTo(PAUSED);
    assertThat(target("rest-0").revision).isEqualTo(TARGET);

    rollout.run(Run.RUNNING).settle();
    target("one-0").breakDown();
    target("one-0").stalled = true;
    assertThat(rollout.settle()).isEqualTo(HALTED);
    target("rest-1").promoted = true;
    rollout.settle();
    assertThat(target("rest-1").revision).isEqualTo(STABLE);
  }

  @Test
  void a_promoted_one_that_fails_counts_when_its_wave_comes() {
    rollout.settle();
    target("two-0").promoted = true;
    rollout.neverReady.add(TARGET + "/two-0");

    assertThat(rollout.after(Duration.ofMinutes(5))).isEqualTo(SOAKING);
    assertThat(rollout.wave("two").failed()).isEqualTo(1);
    assertThat(rollout.after(Duration.ofMinutes(1))).isEqualTo(HALTED);
    assertThat(rollout.status.wave()).isEqualTo("two");
  }

  @Test
  void where_kms_is_degraded_targets_are_held() {
    var strict = rollout("requireKmsHealthy: true\n");
    nth(strict, 0).kmsDegraded = true;
    strict.settle();
    assertThat(strict.after(Duration.ofMinutes(30))).isEqualTo(PROGRESSING);
    assertThat(strict.on(TARGET)).isEqualTo(4);
    assertThat(strict.desired(nth(strict, 0))).isEqualTo("stay: KMS_DEGRADED");

    nth(strict, 0).kmsDegraded = false;
    assertThat(strict.finish()).isEqualTo(COMPLETED);
  }

  @Test
  void pinned_suspended_and_deleted_ones_are_skipped() {
    target("one-0").pin = "1.2.0";
    target("one-1").suspended = true;
    target("one-2").deleting = true;

    rollout.settle();
    assertThat(rollout.wave("one").total()).isEqualTo(2);
    assertThat(rollout.wave("one").skipped()).isEqualTo(2);
    assertThat(rollout.finish()).isEqualTo(COMPLETED);
    assertThat(target("one-1").revision).isEqualTo(STABLE);
    var counts = Objects.requireNonNull(rollout.last).counts();
    assertThat(counts.targets()).isEqualTo(11);
    assertThat(counts.pinned()).isEqualTo(1);
    assertThat(counts.suspended()).isEqualTo(1);
    assertThat(counts.onTarget()).isEqualTo(9);
  }

  @Test
  void waves_without_targets_pass_at_once() {
    var empty = new RolloutSimulation(WAVES);

    assertThat(empty.decide().status().phase()).isEqualTo(COMPLETED);
    assertThat(empty.status.updated()).isEqualTo("0/0");
  }

  @Test
  void a_target_that_waits_for_its_turn_in_helm_is_not_late() {
    rollout.decide();
    rollout.pass(Duration.ofMinutes(20)); // Told to update, and Helm has not begun.

    assertThat(rollout.decide().status().phase()).isEqualTo(PROGRESSING);
    rollout.act();
    assertThat(rollout.finish()).isEqualTo(COMPLETED);
  }
}

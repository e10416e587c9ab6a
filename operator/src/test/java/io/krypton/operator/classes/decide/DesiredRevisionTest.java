// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.operator.classes.decide.RolloutSimulation.STABLE;
import static io.krypton.operator.classes.decide.RolloutSimulation.TARGET;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.operator.classes.decide.DesiredRevision.Desired;
import io.krypton.operator.classes.decide.DesiredRevision.Revision;
import io.krypton.operator.classes.decide.DesiredRevision.StayReason;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The rules by which one target gets its revision, in the middle of three waves. */
class DesiredRevisionTest {
  private static final String WAVES =
      """
      waves:
      - {name: one, clusters: {matchLabels: {ring: "1"}}}
      - {name: two, clusters: {matchLabels: {ring: "2"}}, maxConcurrent: 2, soak: 10m}
      """;

  private final RolloutSimulation rollout = new RolloutSimulation(WAVES);
  private SimulatedTarget passed = rollout.installed("passed", "1");
  private SimulatedTarget later = rollout.installed("later", "3");

  @BeforeEach
  void come_to_the_second_wave() {
    rollout.installed(5, "now-", "2");
    rollout.settle();
    rollout.after(Duration.ofMinutes(1));
    passed = Objects.requireNonNull(rollout.targets.get(passed.key));
    later = Objects.requireNonNull(rollout.targets.get(later.key));
    assertThat(rollout.status.wave()).isEqualTo("two");
    assertThat(rollout.wave("two").updated()).isBetween(2, 4);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        // Whatever the rollout does
        "being deleted                      | 1 | stable | deleting    | stay: DELETING",
        "deleted while suspended            | 1 | stable | deleting suspended | stay: DELETING",
        "suspended                          | 1 | stable | suspended   | stay: SUSPENDED",
        "suspended before a pin             | 1 | stable | suspended pinned | stay: SUSPENDED",
        "pinned                             | 1 | stable | pinned      | PIN",
        "pinned and new                     | 1 | none   | pinned      | PIN",
        // By its wave
        "its wave has passed, new           | 1 | none   | -           | TARGET",
        "its wave has passed, there         | 1 | target | -           | TARGET",
        "its wave is this, no slot          | 2 | stable | -           | stay: WAITING",
        "its wave is this, there            | 2 | target | -           | TARGET",
        "its wave is this, there, broken    | 2 | target | broken      | TARGET",
        "its wave is this, new              | 2 | none   | -           | STABLE",
        "its wave is later                  | 3 | stable | -           | STABLE",
        "its wave is later, new             | 3 | none   | -           | STABLE",
        "its wave is later, there           | 3 | target | -           | TARGET",
        // Where it cannot be
        "this wave, away                    | 2 | stable | away        | stay: UNREACHABLE",
        "later, away                        | 3 | stable | away        | STABLE",
        "there, away                        | 2 | target | away        | TARGET",
        // Of a rollout before this one
        "another revision, this wave        | 2 | other  | -           | stay: WAITING",
        "another revision, later            | 3 | other  | -           | stay: WAITING",
      })
  void a_target_gets(String rule, String ring, String revision, String traits, String desired) {
    var target = rollout.added("asked", ring);
    give(target, revision, traits);

    assertThat(rollout.desired(target)).as(rule).isEqualTo(desired);
  }

  private void give(SimulatedTarget target, String revision, String traits) {
    switch (revision) {
      case "stable" -> target.put(STABLE, rollout.now);
      case "target" -> target.put(TARGET, rollout.now);
      case "other" -> target.put("other", rollout.now);
      default -> {}
    }
    target.deleting = traits.contains("deleting");
    target.suspended = traits.contains("suspended");
    target.pin = traits.contains("pinned") ? "1.2.0" : null;
    target.reachable = !traits.contains("away");
    if (!traits.contains("broken")) {
      target.recover();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "paused                     | PAUSED  | stable | stay: PAUSED",
        "paused, there              | PAUSED  | target | TARGET",
        "paused, new                | PAUSED  | none   | STABLE",
        "aborted                    | ABORTED | stable | STABLE",
        "aborted, there             | ABORTED | target | stay: ENDED",
        "aborted, another revision  | ABORTED | other  | stay: ENDED",
        "aborted, new               | ABORTED | none   | STABLE",
      })
  void a_target_of_this_wave_in_a_rollout_that_is(
      String rule, Run run, String revision, String desired) {
    rollout.run(run).decide();
    var target = rollout.added("asked", "2");
    give(target, revision, "-");

    assertThat(rollout.desired(target)).isEqualTo(desired);
  }

  @Test
  void who_has_a_slot_goes_on_where_nothing_new_begins() {
    rollout.decide();
    var admitted =
        rollout.targets.values().stream()
            .filter(it -> STABLE.equals(it.revision))
            .filter(it -> rollout.desired(it).equals("TARGET"))
            .findFirst();
    rollout.pass(RolloutSimulation.READY_AFTER);
    var next = rollout.decide().admitted();

    rollout.run(Run.PAUSED).decide();

    assertThat(admitted).isEmpty();
    assertThat(next).isNotEmpty();
    assertThat(rollout.desired(Objects.requireNonNull(rollout.targets.get(next.getFirst()))))
        .isEqualTo("TARGET");
  }

  @Test
  void a_plan_touches_nobody_and_new_ones_get_the_stable_revision() {
    var planned = new RolloutSimulation(WAVES).run(Run.PLANNED);
    var installed = planned.installed("a", "1");
    var added = planned.added("b", "1");
    planned.settle();

    assertThat(planned.desired(installed)).isEqualTo("stay: PLANNED");
    assertThat(added.revision).isEqualTo(STABLE);
    assertThat(planned.first().settle()).hasToString("PLANNED");
    assertThat(planned.desired(planned.added("c", "1"))).isEqualTo("stay: PLANNED");
  }

  @Test
  void new_ones_get_the_target_at_once_where_the_class_says_so() {
    var eager = new RolloutSimulation(WAVES + "newTenants: Target\n");
    eager.installed(5, "now-", "1");
    eager.decide();

    assertThat(eager.desired(eager.added("asked", "3"))).isEqualTo("TARGET");
  }

  @Test
  void without_a_stable_revision_new_ones_get_the_target() {
    var first = new RolloutSimulation(WAVES).first();
    var added = first.added("a", "3");
    first.decide();

    assertThat(first.desired(added)).isEqualTo("TARGET");
  }

  @Test
  void without_a_rollout_everybody_is_on_the_stable_revision() {
    var target = rollout.installed("asked", "1");

    assertThat(DesiredRevision.withoutRollout(target.observed()))
        .isEqualTo(new Desired.Use(Revision.STABLE));
    target.pin = "1.2.0";
    assertThat(DesiredRevision.withoutRollout(target.observed()))
        .isEqualTo(new Desired.Use(Revision.PIN));
    target.suspended = true;
    assertThat(DesiredRevision.withoutRollout(target.observed()))
        .isEqualTo(new Desired.Stay(StayReason.SUSPENDED));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "waits for a slot          | 2 | stable | -         | two  | WAITING",
        "waits for its wave        | 3 | stable | -         | rest | WAITING",
        "not installed             | 3 | none   | -         | rest | WAITING",
        "on its way                | 2 | target | broken    | two  | UPDATING",
        "ready                     | 2 | target | -         | two  | DONE",
        "ready, its wave passed    | 1 | target | -         | one  | DONE",
        "away                      | 2 | stable | away      | two  | UNREACHABLE",
        "pinned                    | 2 | stable | pinned    | two  | PINNED",
        "suspended                 | 2 | stable | suspended | two  | SUSPENDED",
      })
  void its_object_shows_where_it_stands(
      String rule,
      String ring,
      String revision,
      String traits,
      String wave,
      RolloutTargetState state) {
    var target = rollout.added("asked", ring);
    give(target, revision, traits);

    var shown = Objects.requireNonNull(rollout.last).desired().of(target.observed());

    assertThat(shown.wave()).isEqualTo(wave);
    assertThat(shown.state()).isEqualTo(state);
  }

  @Test
  void in_the_soak_it_shows_as_soaking_and_failed_once_it_breaks() {
    rollout.after(Duration.ofMinutes(4));
    assertThat(rollout.phase()).hasToString("SOAKING");
    var target = rollout.targets.values().stream().skip(2).findFirst().orElseThrow();

    assertThat(state(target)).isEqualTo(RolloutTargetState.SOAKING);
    target.breakDown();
    assertThat(state(target)).isEqualTo(RolloutTargetState.FAILED);
  }

  private RolloutTargetState state(SimulatedTarget target) {
    return Objects.requireNonNull(rollout.last).desired().of(target.observed()).state();
  }
}

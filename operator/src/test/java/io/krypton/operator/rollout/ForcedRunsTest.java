package io.krypton.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ForcedRunsTest {
  private static final String OBJECT = "edge/uid-1";
  private static final Asked FORCED = new Asked(false, false, true, null, "now");
  private static final Asked HANDLED = new Asked(false, false, false, null, "now");
  private static final Situation BY_HELM = new Situation.Failed(Problem.UPGRADE_FAILED, "quota");
  private static final Situation WITHOUT = new Situation.Failed(Problem.VALUES_NOT_FOUND, "no");

  private final ForcedRuns runs = new ForcedRuns();

  @Test
  void a_forced_run_is_owed_until_helm_ran_also_while_the_cache_is_late() {
    assertThat(runs.isOwed(OBJECT, FORCED)).isTrue();
    runs.settled(OBJECT, FORCED, WITHOUT);
    assertThat(runs.isOwed(OBJECT, FORCED)).isTrue();
    runs.settled(OBJECT, FORCED, BY_HELM);
    assertThat(runs.isOwed(OBJECT, FORCED)).isFalse();
  }

  @Test
  void another_request_is_another_run_and_another_object_has_its_own() {
    runs.settled(OBJECT, FORCED, BY_HELM);

    assertThat(runs.isOwed(OBJECT, new Asked(false, false, true, null, "later"))).isTrue();
    assertThat(runs.isOwed("edge/uid-2", FORCED)).isTrue();
  }

  @Test
  void nothing_is_kept_once_the_status_says_it() {
    runs.settled(OBJECT, FORCED, BY_HELM);
    assertThat(runs.isOwed(OBJECT, HANDLED)).isFalse();

    // The same value again after another one: a new wish.
    assertThat(runs.isOwed(OBJECT, FORCED)).isTrue();
  }
}

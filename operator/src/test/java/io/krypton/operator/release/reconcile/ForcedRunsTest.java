// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.reconcile.HandledRequests.ForcedRuns;
import org.junit.jupiter.api.Test;

class ForcedRunsTest {
  private static final String OBJECT = "edge/uid-1";
  private static final ReconcileRequest FORCED =
      new ReconcileRequest(false, false, true, null, "now");
  private static final ReconcileRequest HANDLED =
      new ReconcileRequest(false, false, false, null, "now");
  private static final RolloutResult BY_HELM =
      new RolloutResult.Failed(FailureReason.UPGRADE_FAILED, "quota");
  private static final RolloutResult WITHOUT =
      new RolloutResult.Failed(FailureReason.VALUES_NOT_FOUND, "no");

  private final ForcedRuns runs = new ForcedRuns();

  @Test
  void a_forced_run_is_owed_until_helm_ran_also_while_the_cache_is_late() {
    assertThat(runs.isPending(OBJECT, FORCED)).isTrue();
    runs.markHandled(OBJECT, FORCED, WITHOUT);
    assertThat(runs.isPending(OBJECT, FORCED)).isTrue();
    runs.markHandled(OBJECT, FORCED, BY_HELM);
    assertThat(runs.isPending(OBJECT, FORCED)).isFalse();
  }

  @Test
  void another_request_is_another_run_and_another_object_has_its_own() {
    runs.markHandled(OBJECT, FORCED, BY_HELM);

    assertThat(runs.isPending(OBJECT, new ReconcileRequest(false, false, true, null, "later")))
        .isTrue();
    assertThat(runs.isPending("edge/uid-2", FORCED)).isTrue();
  }

  @Test
  void nothing_is_kept_once_the_status_says_it() {
    runs.markHandled(OBJECT, FORCED, BY_HELM);
    assertThat(runs.isPending(OBJECT, HANDLED)).isFalse();

    // The same value again after another one: a new wish.
    assertThat(runs.isPending(OBJECT, FORCED)).isTrue();
  }
}

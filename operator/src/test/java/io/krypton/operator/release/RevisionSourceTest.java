// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.RevisionSource.Assignment;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.SingleRevision;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.Deployed;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.Held;
import io.krypton.operator.release.chart.ChartRef;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.decide.Fingerprint;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.values.ChartValues;
import java.util.Map;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

class RevisionSourceTest {
  private static final ReleaseRevision REVISION =
      new ReleaseRevision(
          ChartRef.of("/charts", "web", "1.2.3"), ChartValues.of(Map.of("replicas", 2)));
  private static final Deployed DEPLOYED =
      new Deployed(
          Change.UPGRADED,
          new DeployedRelease(
              new ReleaseName("a"), "a", 1, "uid", new Fingerprint("0".repeat(64)), "r/c:1"));
  private static final Supplier<ObservedOwner> NOBODY_ASKS =
      () -> {
        throw new AssertionError("asked");
      };

  @Test
  void flags_give_one_revision_to_everybody() {
    assertThat(new SingleRevision(REVISION).revisionFor(NOBODY_ASKS))
        .contains(new Assignment.Use(REVISION, null));
  }

  @Test
  void who_waits_is_kept_as_it_is_and_says_what_it_waits_for() throws InterruptedException {
    var hold = new Assignment.Hold(REVISION, "RolloutWaiting", "wave 3", null);

    var result = hold.carryOut(revision -> DEPLOYED);

    assertThat(result).isEqualTo(new Held(DEPLOYED, "RolloutWaiting", "wave 3"));
    assertThat(result.isReady()).isTrue();
    assertThat(result.helmRan()).isTrue();
    assertThat(result.appliedRelease()).contains(DEPLOYED.release());
  }

  @Test
  void a_failure_of_who_waits_is_told_as_such() throws InterruptedException {
    var failed = new Failed(FailureReason.UPGRADE_FAILED, "no");

    assertThat(
            new Assignment.Hold(REVISION, "RolloutWaiting", "wave 3", null)
                .carryOut(revision -> failed))
        .isEqualTo(failed);
  }

  @Test
  void without_a_revision_nothing_is_rolled_out() throws InterruptedException {
    var result =
        new Assignment.Hold(null, "RolloutWaiting", "no chart yet", null)
            .carryOut(
                revision -> {
                  throw new AssertionError("rolled out");
                });

    assertThat(result.isReady()).isFalse();
    assertThat(result.helmRan()).isFalse();
    assertThat(result.appliedRelease()).isEmpty();
    assertThat(result.isAboutOwner()).isTrue();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.NamespaceBuilder;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.krypton.api.Labels;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.ChartAccess.Waiter;
import io.krypton.operator.release.ReleaseUninstaller.Progress;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.helm.FakeHelm;
import io.krypton.operator.release.helm.HelmClient;
import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ReleaseUninstallerIT {
  private static final String HELD = "example.com/held";
  private static final ReleaseName RELEASE = new ReleaseName("tenant-slow-edge");
  private static final Owner OWNER =
      new Owner(Owner.Kind.TENANT, "team", "slow", "uid-of-slow", Instant.EPOCH);

  private final TestingClock clock = new TestingClock();
  private final RecordingRolloutListener journal = new RecordingRolloutListener();
  private final List<Waiter> woken = new ArrayList<>();
  private TestTarget edge;
  private String workspace;

  @BeforeEach
  void create(@Cluster("helm") ControlPlane plane) {
    edge = TestTarget.of(plane);
    workspace =
        edge.client()
            .resource(
                new NamespaceBuilder()
                    .withNewMetadata()
                    .withGenerateName("withdrawal-")
                    .addToLabels(Labels.OWNER_UID, OWNER.uid())
                    .addToFinalizers(HELD)
                    .endMetadata()
                    .build())
            .create()
            .getMetadata()
            .getName();
  }

  @AfterEach
  void remove() {
    edge.client()
        .namespaces()
        .withName(workspace)
        .edit(it -> new NamespaceBuilder(it).editMetadata().withFinalizers().endMetadata().build());
    edge.client().namespaces().withName(workspace).delete();
    edge.close();
  }

  @Test
  void a_namespace_gets_all_of_its_time_however_long_the_uninstall_took() throws Exception {
    storeRelease();
    var releaseUninstaller = withdrawal(new SlowHelm());

    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.NamespaceTerminating(minutes(5), null));
    clock.advance(minutes(4));
    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.NamespaceTerminating(minutes(1), null));
    assertThat(journal.all()).doesNotContain(new RolloutEvent.WorkspaceStuck(workspace));

    clock.advance(minutes(1));
    assertThat(advance(releaseUninstaller)).isEqualTo(new Progress.Removed());
    assertThat(journal.all()).contains(new RolloutEvent.WorkspaceStuck(workspace));
  }

  @Test
  void on_a_cluster_that_left_and_came_back_the_timeout_begins_anew() throws Exception {
    var releaseUninstaller = withdrawal(new SlowHelm());
    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.NamespaceTerminating(minutes(5), null));
    clock.advance(minutes(4));
    releaseUninstaller.forgetCluster(edge.target().name());

    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.NamespaceTerminating(minutes(5), null));
  }

  @Test
  void without_a_turn_at_helm_nothing_is_told_and_its_owner_is_called_when_there_is_one()
      throws Exception {
    storeRelease();
    var helm = new FakeHelm();
    helm.refuseTurns();
    var releaseUninstaller = withdrawal(helm);

    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.Blocked(new RolloutResult.WaitingForHelmSlot()));
    assertThat(journal.all()).isEmpty();
    assertThat(helm.operations()).isEmpty();
    assertThat(woken).isEmpty();

    helm.makeRoom();
    assertThat(woken)
        .containsExactly(new Waiter(Owner.Kind.TENANT, edge.target().name(), "team", "slow"));
    assertThat(advance(releaseUninstaller))
        .isNotEqualTo(new Progress.Blocked(new RolloutResult.WaitingForHelmSlot()));
    assertThat(helm.operations()).hasSize(1);
  }

  private void storeRelease() {
    edge.client()
        .resource(
            new SecretBuilder()
                .withNewMetadata()
                .withNamespace(workspace)
                .withName("sh.helm.release.v1." + RELEASE + ".v1")
                .addToLabels("owner", "helm")
                .addToLabels("name", RELEASE.value())
                .addToLabels("status", "deployed")
                .addToLabels("version", "1")
                .addToLabels(Labels.OWNER_UID, OWNER.uid())
                .endMetadata()
                .build())
        .create();
  }

  @Test
  void what_keeps_a_namespace_is_told_as_soon_as_its_conditions_say_it() throws Exception {
    var releaseUninstaller = withdrawal(new SlowHelm());
    assertThat(advance(releaseUninstaller))
        .isEqualTo(new Progress.NamespaceTerminating(minutes(5), null));
    edge.client()
        .namespaces()
        .withName(workspace)
        .editStatus(
            it ->
                new NamespaceBuilder(it)
                    .editStatus()
                    .addNewCondition()
                    .withType("NamespaceDeletionDiscoveryFailure")
                    .withStatus("True")
                    .withReason("DiscoveryFailed")
                    .withMessage("stale discovery: metrics.k8s.io/v1beta1")
                    .endCondition()
                    .endStatus()
                    .build());

    assertThat(advance(releaseUninstaller))
        .isEqualTo(
            new Progress.NamespaceTerminating(
                minutes(5),
                "namespace %s is terminating (DiscoveryFailed): %s"
                    .formatted(workspace, "stale discovery: metrics.k8s.io/v1beta1")));
  }

  private Progress advance(ReleaseUninstaller releaseUninstaller) throws InterruptedException {
    return releaseUninstaller.advance(OWNER, RELEASE, workspace, edge.target(), true, journal);
  }

  private ReleaseUninstaller withdrawal(HelmClient helm) {
    return new ReleaseUninstaller(
        helm,
        TestTarget.NO_INSPECTOR,
        new ReservedNamespaces(Set.of()),
        minutes(10),
        TestTarget.NOBODY_LIVES,
        clock,
        woken::add);
  }

  private static Duration minutes(int count) {
    return Duration.ofMinutes(count);
  }

  /** An uninstall of six minutes, by the test's clock. */
  private final class SlowHelm implements HelmClient {
    @Override
    public HelmResult run(HelmOperation operation) {
      clock.advance(minutes(6));
      edge.client().secrets().inNamespace(workspace).delete();
      return new HelmResult.Done();
    }

    @Override
    public boolean reserve(ReleaseKey release, Runnable call) {
      return true;
    }

    @Override
    public boolean reserveExclusive(ReleaseKey release, String server, Runnable call) {
      return true;
    }

    @Override
    public void releaseReservation(ReleaseKey release) {}

    @Override
    public boolean isRunning(ReleaseKey release) {
      return false;
    }

    @Override
    public boolean hasEnded(String instance) {
      return false;
    }

    @Override
    public void stop(String cluster) {}

    @Override
    public void close() {}
  }
}

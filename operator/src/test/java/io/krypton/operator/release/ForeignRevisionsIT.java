// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.Deployed;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import io.krypton.operator.release.helm.HelmOperation.ReleaseKey;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.TestCharts;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Somebody runs Helm by hand on a release of ours. Helm copies all our labels to what he makes. */
@ExtendWith(ControlPlaneExtension.class)
class ForeignRevisionsIT {
  private static final Duration LONG = Duration.ofSeconds(60);
  private static final String RELEASE = "r";
  private static final ReleaseName NAME = new ReleaseName(RELEASE);
  private static final Map<String, ?> QUIET = Map.of("hook", false);
  private static final Map<String, ?> HANGING = Map.of("hook", true);

  private TestNamespace namespace;
  private RealHelm helm;
  private TestTarget edge;
  private RolloutFixture rolloutFixture;
  private RolloutFixture.Client client;

  @BeforeEach
  void start(@Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws Exception {
    this.namespace = namespace;
    helm = RealHelm.in(namespace, directory);
    edge = TestTarget.following(namespace.controlPlane());
    rolloutFixture = new RolloutFixture(edge, helm.client(), TestCharts.HOOK);
    client = rolloutFixture.new Client(namespace.name(), RELEASE);
    untilDeployed(QUIET);
  }

  @AfterEach
  void stop() {
    rolloutFixture.close();
    edge.close();
    helm.close();
  }

  @Test
  void what_an_upgrade_by_hand_deployed_is_repaired_and_named() throws Exception {
    byHand("upgrade", RELEASE, TestCharts.HOOK.toString(), "--set=hook=false,text=by-hand");
    assertThat(text()).isEqualTo("by-hand");
    assertThat(latest().labels())
        .containsEntry("mesh.openkcm.io/instance", RolloutFixture.INSTANCE);

    await().atMost(LONG).until(() -> known().endsWith("SUPERSEDED DEPLOYED"));
    untilDeployed(QUIET);

    assertThat(text()).isEqualTo("hello");
    assertThat(latest().isOurs()).isTrue();
    assertThat(drifts()).singleElement().asString().contains("revision 2");
    untilDeployed(QUIET);
    assertThat(latest().version()).as("nothing is left to repair").isEqualTo(3);
  }

  @Test
  void what_a_rollback_by_hand_deployed_is_repaired_and_named() throws Exception {
    untilDeployed(Map.of("hook", false, "text", "new"));
    byHand("rollback", RELEASE, "1");
    assertThat(text()).isEqualTo("hello");

    await().atMost(LONG).until(() -> known().endsWith("SUPERSEDED SUPERSEDED DEPLOYED"));
    untilDeployed(Map.of("hook", false, "text", "new"));

    assertThat(text()).isEqualTo("new");
    assertThat(drifts()).singleElement().asString().contains("revision 3");
  }

  @Test
  void an_upgrade_by_hand_that_is_under_way_is_waited_for_and_told_once() throws Exception {
    var running =
        CompletableFuture.supplyAsync(
            () ->
                byHand(
                    "upgrade",
                    RELEASE,
                    TestCharts.HOOK.toString(),
                    "--set=hook=true",
                    "--timeout=60s"));
    await().atMost(LONG).until(() -> helm.waitsForHook(RELEASE));
    await().atMost(LONG).until(() -> known().endsWith("PENDING_UPGRADE"));

    for (var look = 0; look < 3; look++) {
      assertThat(client.run(QUIET))
          .isInstanceOfSatisfying(
              Waiting.class, it -> assertThat(it.reason()).isEqualTo(WaitReason.RELEASE_LOCKED));
    }

    assertThat(running).isNotDone();
    assertThat(latest().version()).isEqualTo(2);
    assertThat(client.journal.all())
        .filteredOn(RolloutEvent.ForeignRun.class::isInstance)
        .singleElement()
        .isEqualTo(
            new RolloutEvent.ForeignRun(
                NAME, 2, ReleaseStatus.PENDING_UPGRADE, Duration.ofMinutes(2)));
    child().destroy();
    assertThat(running.get()).contains("UPGRADE FAILED");
    await().atMost(LONG).until(() -> known().endsWith("FAILED"));
    untilDeployed(QUIET);
    assertThat(statuses())
        .containsExactly(ReleaseStatus.SUPERSEDED, ReleaseStatus.FAILED, ReleaseStatus.DEPLOYED);
    assertThat(latest().isOurs()).isTrue();
  }

  @Test
  void a_run_of_ours_that_died_is_rolled_back_at_once_and_that_is_ours_as_well() throws Exception {
    var killed = new CompletableFuture<RolloutResult>();
    Thread.startVirtualThread(
        () -> {
          try {
            killed.complete(client.run(HANGING));
          } catch (InterruptedException e) {
            killed.completeExceptionally(e);
          }
        });
    await().atMost(LONG).until(() -> helm.waitsForHook(RELEASE));
    child().destroyForcibly();
    assertThat(killed.get()).isInstanceOf(RolloutResult.Failed.class);
    assertThat(statuses()).endsWith(ReleaseStatus.PENDING_UPGRADE);
    aRollbackIsAloneOnItsServer();

    untilDeployed(QUIET);

    assertThat(client.journal.all())
        .contains(new RolloutEvent.Unlocked(NAME, "revision 2", "revision 1"));
    assertThat(drifts()).as("nobody else had a hand in it").isEmpty();
    assertThat(latest().version()).as("no upgrade was needed after it").isEqualTo(3);
    assertThat(latest().isOurs()).isTrue();
  }

  private void aRollbackIsAloneOnItsServer() throws Exception {
    await().atMost(LONG).until(() -> known().endsWith("PENDING_UPGRADE"));
    var elsewhere = new ReleaseKey("elsewhere", "ns", NAME);
    assertThat(helm.client().reserveExclusive(elsewhere, edge.target().serverUid(), () -> {}))
        .isTrue();
    assertThat(client.run(QUIET)).isInstanceOf(RolloutResult.WaitingForHelmSlot.class);
    assertThat(statuses()).endsWith(ReleaseStatus.PENDING_UPGRADE);
    helm.client().releaseReservation(elsewhere);
    assertThat(rolloutFixture.woken).containsExactly(client.waiter());
  }

  /** Watches that have just begun need another look. */
  private void untilDeployed(Map<String, ?> values) {
    await()
        .atMost(LONG)
        .untilAsserted(() -> assertThat(client.run(values)).isInstanceOf(Deployed.class));
  }

  private String byHand(String... arguments) {
    try {
      return helm.ask(arguments);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private List<RolloutEvent> drifts() {
    return client.journal.all().stream().filter(RolloutEvent.DriftFound.class::isInstance).toList();
  }

  private String text() {
    return helm.get(namespace.path() + "/configmaps/" + RELEASE).at("/data/text").asText();
  }

  private Revision latest() {
    return helm.history(RELEASE).latest().orElseThrow();
  }

  private List<ReleaseStatus> statuses() {
    return helm.history(RELEASE).revisions().stream().map(Revision::status).toList();
  }

  /** As the cache has it. */
  private String known() {
    return edge.target().cachedHistory(namespace.name(), NAME).revisions().stream()
        .map(it -> it.status().name())
        .reduce("", (a, b) -> a + " " + b);
  }

  private static ProcessHandle child() {
    var program = RealHelm.program().toString();
    return ProcessHandle.current()
        .children()
        .filter(child -> child.info().command().filter(program::equals).isPresent())
        .findFirst()
        .orElseThrow();
  }
}

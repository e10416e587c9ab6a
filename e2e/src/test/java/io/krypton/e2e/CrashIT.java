// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** The operator dies in the middle of a Helm run; nobody has to clean up after it. */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
@Order(3)
class CrashIT {
  private static final String RELEASE = "tenant-phoenix-crash-edge";

  @TempDir Path directory;

  @Test
  void a_release_that_was_cut_short_is_unlocked_and_finished_by_the_next_operator(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    Fleet.namespace(home, "crash");
    Fleet.register(home, "crash", "crash-edge", edge.adminKubeconfig());
    killedInTheMiddleOf("pending-install", home, edge, () -> Fleet.tenant(edge, "phoenix", "{}"));
    killedInTheMiddleOf("pending-upgrade", home, edge, () -> message(edge, "once"));
    try (var second = Operators.start(directory, home, "crash", "slow", "--leader-elect=false")) {
      awaitMessage(edge, "once", second);
      eventually(
          "told and counted",
          () -> {
            assertThat(Fleet.events(edge, "phoenix")).contains("ReleaseUnlocked");
            assertThat(second.metric("krypton_release_unlocks_total", "method=\"rollback\""))
                .isEqualTo(1);
          });

      message(edge, "changed");
      eventually(
          "in the middle of the upgrade",
          () -> {
            // One of those that were killed may have left such a revision below the latest.
            assertThat(Fleet.revisions(edge, "phoenix", RELEASE))
                .last()
                .isEqualTo("pending-upgrade");
            assertThat(second.handle().descendants()).isNotEmpty();
          });
      var helm = second.handle().descendants().toList();

      var ending = second.terminate();

      assertThat(ending.exit()).isEqualTo(143);
      assertThat(ending.took()).isLessThan(Operator.ENDS_WITHIN);
      assertThat(helm).isNotEmpty().noneMatch(ProcessHandle::isAlive);
    }
    try (var third = Operators.start(directory, home, "crash", "slow", "--leader-elect=false")) {
      awaitMessage(edge, "changed", third);
      Fleet.delete(edge, "phoenix");
      eventually("gone", () -> assertThat(Fleet.tenantStatus(edge, "phoenix")).isEqualTo(404));
    }
  }

  @Test
  void a_cluster_that_is_taken_away_ends_its_helm_runs_and_finishes_them_when_it_is_back(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    var tenants = new Tenants(edge, "leaving", "leaving-edge");
    Fleet.namespace(home, "leaving");
    Fleet.namespace(edge, "leaving");
    Fleet.register(home, "leaving", "leaving-edge", edge.adminKubeconfig());
    var flags =
        List.of(
            "-chart-repo=" + Operators.chart("slow"),
            "-chart-name=slow",
            "-chart-version=0.1.0",
            "--watch-namespaces=leaving",
            "--helm-engine=cli", // One process per release; the worker: CancelledInMidRunIT.
            "--leader-elect=false");
    try (var operator = Operators.start(directory, home, "leaving", flags)) {
      eventually("engaged", () -> assertThat(operator.hasEngaged("leaving-edge")).isTrue());
      tenants.create("leaver", "{}");
      eventually(
          "installs",
          () -> assertThat(tenants.revisions("leaver")).containsExactly("pending-install"));
      var helm = operator.handle().descendants().toList();
      assertThat(helm).isNotEmpty();

      Fleet.label(home, "leaving", "leaving-edge", "false");

      await("Helm is stopped, and by force if it must be")
          .atMost(Fleet.PATIENCE)
          .until(() -> helm.stream().noneMatch(ProcessHandle::isAlive));
      assertThat(operator.handle().descendants()).isEmpty();

      Fleet.label(home, "leaving", "leaving-edge", "true");

      eventually(
          "finished",
          () -> {
            Fleet.completeJob(edge, "leaver", "gate");
            assertThat(tenants.phase("leaver")).as(operator.log()).isEqualTo("Ready");
          });
      assertThat(tenants.revisions("leaver")).containsExactly("deployed");
    }
  }

  /** The first run of this waits for the install, the second finishes it before the upgrade. */
  private void killedInTheMiddleOf(
      String pending, ControlPlane home, ControlPlane edge, Runnable change) throws Exception {
    try (var operator = Operators.start(directory, home, "crash", "slow", "--leader-elect=false")) {
      eventually("engaged", () -> assertThat(operator.hasEngaged("crash-edge")).isTrue());
      if (Fleet.tenantStatus(edge, "phoenix") == 200) {
        awaitMessage(edge, "hello", operator);
        eventually(
            "counted",
            () ->
                assertThat(operator.metric("krypton_release_unlocks_total", "method=\"uninstall\""))
                    .isEqualTo(1));
        assertThat(Fleet.revisions(edge, "phoenix", RELEASE)).containsExactly("deployed");
      }
      change.run();
      eventually(
          pending, () -> assertThat(Fleet.revisions(edge, "phoenix", RELEASE)).endsWith(pending));
      var helm = operator.handle().descendants().toList();
      assertThat(helm).isNotEmpty();

      operator.kill();

      // Helm was a child of the dead operator: whether it lives on or not, the next one copes.
      helm.forEach(ProcessHandle::destroyForcibly);
    }
  }

  private static void message(ControlPlane edge, String message) {
    Fleet.patch(edge, "phoenix", "{\"spec\":{\"values\":{\"message\":\"%s\"}}}".formatted(message));
  }

  private static void awaitMessage(ControlPlane edge, String message, Operator operator) {
    eventually(
        "deployed in the end",
        () -> {
          Fleet.completeJob(edge, "phoenix", "gate");
          assertThat(Fleet.phase(edge, "phoenix")).as(operator.log()).isEqualTo("Ready");
          assertThat(Fleet.revisions(edge, "phoenix", RELEASE)).endsWith("deployed");
          assertThat(
                  edge.admin()
                      .get("/api/v1/namespaces/phoenix/configmaps/" + RELEASE)
                      .body()
                      .at("/data/message")
                      .asText())
              .as(operator.log())
              .isEqualTo(message);
        });
  }
}

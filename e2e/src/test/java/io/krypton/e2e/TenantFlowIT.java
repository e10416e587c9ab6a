// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;

/** Tenants from their creation to their end, with the operator as a user runs it. */
@ExtendWith(ControlPlaneExtension.class)
@ResourceLock(Fleet.DEFAULT_NAMESPACE)
@Order(12)
class TenantFlowIT {
  private static final String USER = "flow";

  @TempDir Path directory;

  @Test
  void a_tenant_on_a_remote_cluster_becomes_a_release_and_leaves_nothing_behind(
      @Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge) throws Exception {
    Fleet.namespace(home, "flow");
    Fleet.register(home, "flow", "demo-remote-1", edge.kubeconfigFor(USER, "system:masters"));
    // One dash, as the manifests of the older operator write them.
    try (var operator = start(home, "flow", "echo", "-check-interval=2s")) {
      eventually(
          "engaged",
          () -> assertThat(operator.metrics("/status").body()).contains("\"state\":\"Engaged\""));
      eventually(
          "ready to roll out", () -> assertThat(operator.probe("/readyz").body()).isEqualTo("ok"));

      Fleet.tenant(edge, "e2e-acme", "{\"workspace\":\"e2e-acme-workspace\"}");
      eventually(
          "ready",
          () -> assertThat(Fleet.phase(edge, "e2e-acme")).as(operator.log()).isEqualTo("Ready"));
      assertThat(Fleet.condition(edge, "e2e-acme", "ClusterReady/demo-remote-1"))
          .isEqualTo("True/Installed");
      assertThat(Fleet.condition(edge, "e2e-acme", "Ready")).isEqualTo("True/Deployed");
      assertThat(Fleet.revisions(edge, "e2e-acme-workspace", "tenant-e2e-acme-demo-remote-1"))
          .containsExactly("deployed");
      eventually(
          "events",
          () ->
              assertThat(Fleet.events(edge, "e2e-acme"))
                  .contains(
                      "WorkspaceCreated", "HelmInstallStart", "HelmInstalled", "FingerprintUpdated")
                  .filteredOn(reason -> !reason.equals("PhaseSet"))
                  .doesNotHaveDuplicates());

      var mark = edge.audit().mark();
      driftIsRepaired(edge);
      // What must not appear while nothing happens does appear here, so that its absence means
      // something.
      eventually(
          "written",
          () ->
              assertThat(edge.audit().since(mark).by(USER).records())
                  .anyMatch(
                      record -> Writes.isOurs(record.userAgent()) && record.verb().equals("patch"))
                  .anyMatch(record -> Writes.isHelms(record.userAgent())));
      aQuietFleetCostsNothing(edge, operator);
      badValuesAreToldAndCured(edge);
      theYoungerOfTwoRivalsWaits(edge);

      Fleet.delete(edge, "e2e-acme");
      eventually(
          "all gone",
          () -> {
            assertThat(edge.admin().get("/api/v1/namespaces/e2e-acme-workspace").status())
                .isEqualTo(404);
            assertThat(Fleet.tenantStatus(edge, "e2e-acme")).isEqualTo(404);
          });

      var ending = operator.terminate();
      assertThat(ending.exit()).isEqualTo(143);
      assertThat(ending.took()).isLessThan(Operator.ENDS_WITHIN);
      assertThat(operator.log()).doesNotContain("client-key-data", "BEGIN");
    }
  }

  private static void driftIsRepaired(ControlPlane edge) {
    var configMap =
        "/api/v1/namespaces/e2e-acme-workspace/configmaps/tenant-e2e-acme-demo-remote-1";
    edge.admin().delete(configMap);
    eventually(
        "a deleted object is back",
        () -> assertThat(edge.admin().get(configMap).status()).isEqualTo(200));
    eventually(
        "told", () -> assertThat(Fleet.events(edge, "e2e-acme")).contains("RepairTriggered"));
    eventually("ready again", () -> assertThat(Fleet.phase(edge, "e2e-acme")).isEqualTo("Ready"));
  }

  private static void aQuietFleetCostsNothing(ControlPlane edge, Operator operator) {
    Fleet.patch(edge, "e2e-acme", "{\"metadata\":{\"annotations\":{\"note\":\"1\"}}}");
    eventually(
        "at rest, once the last events are written",
        () -> {
          var mark = edge.audit().mark();
          // Only what the operator has really looked at, several times, can have cost nothing.
          Writes.awaitQuietRuns(operator, 3);
          assertThat(Writes.since(edge, mark, USER)).isEmpty();
        });
    assertThat(Fleet.phase(edge, "e2e-acme")).isEqualTo("Ready");
  }

  private static void badValuesAreToldAndCured(ControlPlane edge) {
    Fleet.tenant(edge, "e2e-bad", "{\"values\":{\"replicas\":\"many\"}}");
    eventually(
        "the failure is told",
        () ->
            assertThat(Fleet.condition(edge, "e2e-bad", "ClusterError/demo-remote-1"))
                .isEqualTo("True/InstallFailed"));
    assertThat(Fleet.tenant(edge, "e2e-bad").path("status").path("lastMessage").asText())
        .contains("spec.replicas");
    assertThat(Fleet.phase(edge, "e2e-bad")).isEqualTo("Error");

    Fleet.patch(edge, "e2e-bad", "{\"spec\":{\"values\":{\"replicas\":0}}}");

    eventually("cured", () -> assertThat(Fleet.phase(edge, "e2e-bad")).isEqualTo("Ready"));
    assertThat(Fleet.condition(edge, "e2e-bad", "ClusterError/demo-remote-1"))
        .isEqualTo("False/Resolved");
    Fleet.delete(edge, "e2e-bad");
  }

  private static void theYoungerOfTwoRivalsWaits(ControlPlane edge) {
    Fleet.tenant(edge, "e2e-rival", "{\"workspace\":\"e2e-acme-workspace\"}");
    eventually(
        "refused",
        () ->
            assertThat(Fleet.condition(edge, "e2e-rival", "ClusterError/demo-remote-1"))
                .isEqualTo("True/NamespaceConflict"));
    assertThat(Fleet.condition(edge, "e2e-rival", "Stalled")).isEqualTo("True/NamespaceConflict");
    assertThat(Fleet.phase(edge, "e2e-acme")).isEqualTo("Ready");
    Fleet.delete(edge, "e2e-rival");
    eventually("gone", () -> assertThat(Fleet.tenantStatus(edge, "e2e-rival")).isEqualTo(404));
  }

  private Operator start(ControlPlane home, String namespace, String chart, String... flags)
      throws Exception {
    return Operators.start(directory, home, namespace, chart, flags);
  }
}

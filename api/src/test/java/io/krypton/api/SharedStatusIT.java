// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class SharedStatusIT {
  private final Server server;

  SharedStatusIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  @Test
  void two_operators_keep_their_own_conditions_and_releases_of_one_tenant() {
    server.create("Tenant", "{metadata: {name: shared}}").orThrow();

    applyTenant("krypton-edge01", "edge01", "True");
    applyTenant("krypton-edge02", "edge02", "True");
    applyTenant("krypton-edge01", "edge01", "False");

    var status = server.get("Tenant", "shared").path("status");
    assertThat(status.path("conditions"))
        .extracting(condition -> text(condition, "type") + "=" + text(condition, "status"))
        .containsExactlyInAnyOrder("ClusterReady/edge01=False", "ClusterReady/edge02=True");
    assertThat(status.path("releases"))
        .extracting(release -> text(release, "cluster"))
        .containsExactlyInAnyOrder("edge01", "edge02");
  }

  private void applyTenant(String manager, String cluster, String ready) {
    var status =
        """
        {conditions: [{type: ClusterReady/%1$s, status: '%2$s', reason: Installed}],
         releases: [{cluster: %1$s, revision: 1}]}
        """
            .formatted(cluster, ready);
    server.applyStatus("Tenant", "shared", manager, status).orThrow();
  }

  @Test
  void reporters_aggregator_and_union_share_one_kms_health() {
    server.create("KmsHealth", "{metadata: {name: cluster}}").orThrow();
    try {
      applyReport("reporter-a", "KMSHealthReporter_a", "{nodeName: a, keyID: '1'}");
      applyReport("reporter-b", "KMSHealthReporter_b", "{nodeName: b, keyID: '1'}");
      applyReport("reporter-a", "KMSHealthReporter_a", "{nodeName: a, keyID: '2'}");
      applyHealth(
          "aggregator", "{%s, nodesHealthy: 2/2}".formatted(condition("KMSPluginsDegraded")));
      applyHealth("union", "{%s}".formatted(condition("Degraded")));

      var status = server.get("KmsHealth", "cluster").path("status");
      assertThat(status.path("conditions"))
          .extracting(condition -> text(condition, "type"))
          .containsExactlyInAnyOrder(
              "KMSHealthReporter_a", "KMSHealthReporter_b", "KMSPluginsDegraded", "Degraded");
      assertThat(status.at("/encryptionStatus/healthReports"))
          .extracting(report -> text(report, "nodeName") + text(report, "keyID"))
          .containsExactlyInAnyOrder("b1", "a2");
      assertThat(text(status, "nodesHealthy")).isEqualTo("2/2");
    } finally {
      server.plane().admin().delete(server.path("KmsHealth", "cluster"));
    }
  }

  private void applyReport(String manager, String condition, String entry) {
    var report = entry.replace("}", ", status: Healthy, lastCheckedTime: '2026-05-08T12:34:56Z'}");
    applyHealth(
        manager,
        "{%s, encryptionStatus: {healthReports: [%s]}}".formatted(condition(condition), report));
  }

  private static String condition(String type) {
    return "conditions: [{type: %s, status: 'True', lastTransitionTime: '2026-05-08T12:34:56Z'}]"
        .formatted(type);
  }

  private void applyHealth(String manager, String status) {
    server.applyStatus("KmsHealth", "cluster", manager, status).orThrow();
  }

  private static String text(JsonNode object, String field) {
    return object.path(field).asText();
  }
}

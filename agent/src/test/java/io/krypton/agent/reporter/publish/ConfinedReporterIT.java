// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.Manifests;
import io.krypton.agent.lab.TargetObject;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The shipped rights and the shipped admission policy, tried by a reporter that oversteps. */
@ExtendWith(ControlPlaneExtension.class)
class ConfinedReporterIT {
  private static final String STATUS = ReportTarget.KMSHEALTH.statusPath();
  private static final String LEASES =
      "/apis/coordination.k8s.io/v1/namespaces/krypton-system/leases/";
  private static final String FOREIGN =
      """
      {"conditions": [%s, %s], "nodesHealthy": "3/3", "writeKeyID": "2",
       "encryptionStatus": {"healthReports": [%s]}}
      """
          .formatted(
              condition("KMSHealthReporter_master-1", "False"),
              condition("KMSPluginsDegraded", "False"),
              entry("master-1", "Error"));

  private final ControlPlane plane;
  private final TargetObject target;
  private final KubeApi reporter;

  ConfinedReporterIT(@Cluster("agent") ControlPlane plane) {
    this.plane = plane;
    target = TargetObject.install(plane, ReportTarget.KMSHEALTH);
    target.applyForeignStatus("others", FOREIGN);
    Manifests.apply(plane, Manifests.EXAMPLES.resolve("rbac.yaml"));
    Manifests.apply(plane, Manifests.CONFINEMENT);
    reporter =
        new KubeApi(plane.access("system:krypton:kms-reporter:master-0", "krypton:kms-reporters"));
    // Rights and policies reach the API server's caches a moment later.
    await().atMost(Duration.ofSeconds(30)).until(() -> reporter.get(STATUS).ok());
    await()
        .atMost(Duration.ofSeconds(30))
        // Another type each time: what got through before the policy was known would change
        // nothing.
        .until(() -> conditions("probe", "Probe" + System.nanoTime()).status() == 422);
  }

  @AfterEach
  void close() {
    reporter.close();
  }

  @Test
  void its_own_condition_and_typed_entry_are_allowed_and_change_nothing_else() {
    var before = target.read().path("status");

    assertThat(conditions("kms-health-reporter-master-0", "KMSHealthReporter_master-0").status())
        .isEqualTo(200);
    assertThat(healthReports("kms-health-reporter-master-0", "master-0").status()).isEqualTo(200);
    assertThat(target.entries("master-0")).hasSize(1);
    assertThat(apply("", "kms-health-reporter-master-0").status()).isEqualTo(200);

    assertThat(target.read().path("status")).isEqualTo(before);
  }

  @ParameterizedTest
  @ValueSource(strings = {"KMSHealthReporter_master-1", "KMSPluginsDegraded", "Degraded"})
  void a_condition_of_somebody_else_is_refused(String type) {
    assertThat(conditions("kms-health-reporter-master-0", type).status()).isEqualTo(422);
  }

  @Test
  void a_typed_entry_of_another_node_is_refused() {
    assertThat(healthReports("kms-health-reporter-master-0", "master-1").status()).isEqualTo(422);
    assertThat(healthReports("kms-health-reporter-master-0", "master-2").status()).isEqualTo(422);
  }

  @Test
  void removing_what_others_wrote_is_refused() {
    // With their name as field manager, an apply that omits their entries would delete them.
    assertThat(apply("", "others").status()).isEqualTo(422);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodes | [{\"nodeName\": \"x\"}]",
        "nodesHealthy | \"0/0\"",
        "writeKeyID | \"9\"",
        "convergence | {\"writeKeyID\": \"9\"}",
        "observedGeneration | 9",
      })
  void every_other_field_of_the_status_is_refused(String field, String value) {
    var answer = apply("{\"%s\": %s}".formatted(field, value), "kms-health-reporter-master-0");

    assertThat(answer.status()).isEqualTo(422);
    assertThat(answer.body().path("message").asText()).contains("status." + field);
  }

  @Test
  void its_own_lease_can_be_made_and_renewed_and_no_other() {
    assertThat(lease("kms-kmshealth-master-0").status()).isEqualTo(201);
    assertThat(lease("kms-kmshealth-master-0").status()).isEqualTo(200);
    assertThat(lease("kms-kmshealth-master-1").status()).isEqualTo(403);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "/apis/mesh.openkcm.io/v1alpha1/kmshealths",
        "/apis/mesh.openkcm.io/v1alpha1/kmshealths/cluster",
        "/apis/coordination.k8s.io/v1/namespaces/krypton-system/leases",
        "/api/v1/secrets",
        "/api/v1/namespaces/krypton-system/secrets",
        "/api/v1/nodes",
      })
  void nothing_else_can_be_read(String path) {
    assertThat(reporter.get(path).status()).isEqualTo(403);
  }

  @Test
  void a_reporter_whose_node_is_unknown_may_write_nothing() {
    try (var nameless = new KubeApi(plane.access("somebody", "krypton:kms-reporters"))) {
      var answer =
          nameless.apply(
              STATUS, "x", object("{\"conditions\": [%s]}".formatted(condition("Any", "True"))));

      assertThat(answer.status()).isEqualTo(422);
      assertThat(answer.body().path("message").asText())
          .contains("node of this reporter is unknown");
    }
  }

  private ApiResponse conditions(String manager, String type) {
    return apply("{\"conditions\": [%s]}".formatted(condition(type, "True")), manager);
  }

  private ApiResponse healthReports(String manager, String node) {
    return apply(
        "{\"encryptionStatus\": {\"healthReports\": [%s]}}".formatted(entry(node, "Healthy")),
        manager);
  }

  private ApiResponse apply(String status, String manager) {
    return reporter.apply(STATUS, manager, object(status));
  }

  private ApiResponse lease(String name) {
    return reporter.apply(
        LEASES + name,
        "kms-health-reporter-master-0",
        """
        {"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
         "metadata": {"name": "%s", "namespace": "krypton-system",
                      "labels": {"mesh.openkcm.io/kms-target": "kmshealth"}}}
        """
            .formatted(name));
  }

  private static String object(String status) {
    return """
    {"apiVersion": "mesh.openkcm.io/v1alpha1", "kind": "KmsHealth",
     "metadata": {"name": "cluster"}%s}
    """
        .formatted(status.isEmpty() ? "" : ", \"status\": " + status);
  }

  private static String condition(String type, String status) {
    return """
    {"type": "%s", "status": "%s", "reason": "Test", "message": "",
     "lastTransitionTime": "2026-05-08T12:00:00Z"}
    """
        .formatted(type, status);
  }

  private static String entry(String node, String status) {
    return """
    {"nodeName": "%s", "keyID": "1", "status": "%s",
     "lastCheckedTime": "2026-05-08T12:00:00Z"}
    """
        .formatted(node, status);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static io.krypton.e2e.Fleet.eventually;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;

/** What happens to the objects of a release after Helm has gone. */
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
@Execution(ExecutionMode.CONCURRENT)
class DriftIT {
  private static final String CLUSTER = "drift-edge";

  @TempDir static Path directory;

  private Tenants tenants;
  private Operator operator;

  @BeforeAll
  void start(@Cluster("home") ControlPlane home, @Cluster("edge") ControlPlane edge)
      throws Exception {
    tenants = new Tenants(edge, "drift", CLUSTER);
    Fleet.namespace(home, "drift");
    Fleet.namespace(edge, "drift");
    Fleet.register(home, "drift", CLUSTER, edge.adminKubeconfig());
    operator =
        Operators.start(
            directory,
            home,
            "drift",
            List.of(
                "-chart-repo=" + Operators.chart("app"),
                "-chart-name=app",
                "-chart-version=0.1.0",
                "--watch-namespaces=drift",
                "--leader-elect=false",
                "--ready-timeout=5s",
                "-check-interval=2s"));
    eventually("engaged", () -> assertThat(operator.hasEngaged(CLUSTER)).isTrue());
  }

  @AfterAll
  void stop() {
    operator.close();
  }

  @Test
  void an_edited_object_is_put_back_and_what_an_autoscaler_sets_is_left_alone() throws Exception {
    tenants.create("drift-edit", "{}");
    eventually("ready", () -> assertThat(tenants.phase("drift-edit")).isEqualTo("Ready"));
    var deployment = "/apis/apps/v1/namespaces/drift-edit/deployments/app";
    var image = "/spec/template/spec/containers/0/image";
    tenants
        .change(
            deployment,
            """
            {"spec":{"template":{"spec":{"containers":[{"name":"app","image":"example.com/evil:2"}]}}}}
            """)
        .orThrow();
    eventually(
        "put back",
        () ->
            assertThat(tenants.object(deployment).at(image).asText())
                .isEqualTo("example.com/app:1"));
    eventually(
        "told",
        () ->
            assertThat(tenants.eventList("drift-edit").toString())
                .contains(
                    "Detected changed resources, triggered repair: Deployment/drift-edit/app"));
    scale("drift-edit", 2);
    eventually("scaled back", () -> assertThat(replicas("drift-edit")).isZero());
    eventually("ready", () -> assertThat(tenants.phase("drift-edit")).isEqualTo("Ready"));
    eventually(
        "counted",
        () -> {
          assertThat(operator.metric("krypton_drift_detected_total", "kind=\"Deployment\""))
              .isPositive();
          assertThat(operator.metric("krypton_drift_repairs_total", "result=\"done\""))
              .isPositive();
        });

    tenants
        .plane()
        .admin()
        .post(
            "/apis/autoscaling/v2/namespaces/drift-edit/horizontalpodautoscalers",
            """
            {"metadata":{"name":"app"},"spec":{"minReplicas":1,"maxReplicas":5,
             "scaleTargetRef":{"apiVersion":"apps/v1","kind":"Deployment","name":"app"}}}
            """)
        .orThrow();
    var revisions = tenants.revisions("drift-edit").size();
    scale("drift-edit", 3);
    eventually(
        "noticed that the pods are missing",
        () -> assertThat(tenants.message("drift-edit")).contains("Deployment/app (0/3 available)"));
    assertThat(replicas("drift-edit")).isEqualTo(3);
    assertThat(tenants.revisions("drift-edit")).hasSize(revisions);
  }

  @Test
  void an_edited_port_is_put_back_and_what_the_server_refuses_is_told_beside_a_good_install()
      throws Exception {
    tenants.create("drift-port", "{\"values\":{\"port\":80}}");
    eventually("ready", () -> assertThat(tenants.phase("drift-port")).isEqualTo("Ready"));
    var service = "/api/v1/namespaces/drift-port/services/app";
    // As a merge patch does it, the port of the same name has another number.
    tenants
        .change(
            service + "?fieldManager=kubectl-edit",
            "{\"spec\":{\"ports\":[{\"name\":\"http\",\"port\":8080}]}}")
        .orThrow();
    eventually("put back", () -> assertThat(portsOf(service)).containsExactly(80));
    eventually("ready", () -> assertThat(tenants.phase("drift-port")).isEqualTo("Ready"));
    tenants.values("drift-port", "{\"port\":81}");
    eventually("upgraded", () -> assertThat(portsOf(service)).containsExactly(81));
    eventually("ready", () -> assertThat(tenants.phase("drift-port")).isEqualTo("Ready"));

    var deployment = "/apis/apps/v1/namespaces/drift-port/deployments/app";
    var other = (ObjectNode) tenants.object(deployment);
    other.remove("status");
    ((ObjectNode) other.path("metadata")).remove(List.of("uid", "resourceVersion"));
    for (var labels : List.of("/spec/selector/matchLabels", "/spec/template/metadata/labels")) {
      ((ObjectNode) other.at(labels)).put("app", "other");
    }
    tenants.patch("drift-port", "{\"spec\":{\"suspend\":true}}");
    eventually(
        "suspended",
        () ->
            assertThat(tenants.condition("drift-port", "Reconciling"))
                .isEqualTo("False/Suspended"));
    tenants.plane().admin().delete(deployment).orThrow();
    tenants
        .plane()
        .admin()
        .post("/apis/apps/v1/namespaces/drift-port/deployments", other.toString())
        .orThrow();
    var revisions = tenants.revisions("drift-port");
    tenants.patch("drift-port", "{\"spec\":{\"suspend\":false}}");

    eventually(
        "told",
        () ->
            assertThat(tenants.condition("drift-port", "ClusterDriftChecked/" + CLUSTER))
                .isEqualTo("False/DryRunRefused"));
    eventually(
        "as an event",
        () ->
            assertThat(tenants.eventList("drift-port").toString())
                .contains("DryRunRefused", "Deployment/drift-port/app: HTTP 422: spec.selector"));
    // The Deployment is a new one, of which the server must first say that it is complete.
    eventually(
        "still a good install",
        () -> {
          assertThat(tenants.condition("drift-port", "Ready")).startsWith("True/");
          assertThat(tenants.phase("drift-port")).isEqualTo("Ready");
        });
    assertThat(tenants.condition("drift-port", "ClusterDriftChecked/" + CLUSTER))
        .isEqualTo("False/DryRunRefused");
    assertThat(tenants.revisions("drift-port")).as("no Helm run").isEqualTo(revisions);

    tenants.plane().admin().delete(deployment).orThrow();
    eventually(
        "over",
        () ->
            assertThat(tenants.condition("drift-port", "ClusterDriftChecked/" + CLUSTER))
                .isEqualTo("True/Checked"));
  }

  private List<Integer> portsOf(String service) {
    return tenants
        .object(service)
        .at("/spec/ports")
        .valueStream()
        .map(port -> port.path("port").asInt())
        .toList();
  }

  private void scale(String namespace, int replicas) {
    tenants
        .change(
            "/apis/apps/v1/namespaces/%s/deployments/app/scale".formatted(namespace),
            "{\"spec\":{\"replicas\":%d}}".formatted(replicas))
        .orThrow();
  }

  private int replicas(String namespace) {
    return tenants
        .object("/apis/apps/v1/namespaces/%s/deployments/app".formatted(namespace))
        .at("/spec/replicas")
        .asInt();
  }

  @Test
  void whoever_keeps_deleting_an_object_makes_repairs_rarer() {
    tenants.create("drift-fight", "{}");
    eventually("ready", () -> assertThat(tenants.phase("drift-fight")).isEqualTo("Ready"));
    var configMap = "/api/v1/namespaces/drift-fight/configmaps/app";
    eventually(
        "deleted whenever it is back, until its repair waits",
        () -> {
          if (!tenants.object(configMap).isMissingNode()) {
            tenants.plane().admin().delete(configMap).orThrow();
          }
          // Both of one version: the next repair may be over before the second is read.
          assertThat(
                  tenants
                      .get("drift-fight")
                      .at("/status/conditions")
                      .valueStream()
                      .map(it -> it.path("type").asText() + " " + it.path("reason").asText()))
              .contains("Reconciling ProgressingWithRetry", "Ready RepairTriggered");
        });
    eventually("ready", () -> assertThat(tenants.phase("drift-fight")).isEqualTo("Ready"));
    assertThat(tenants.object(configMap).isMissingNode()).isFalse();
  }

  @Test
  void an_object_may_be_left_out_of_it() {
    tenants.create("drift-mine", "{}");
    eventually("ready", () -> assertThat(tenants.phase("drift-mine")).isEqualTo("Ready"));
    var configMap = "/api/v1/namespaces/drift-mine/configmaps/app";
    tenants
        .change(
            configMap,
            """
            {"metadata":{"annotations":{"mesh.openkcm.io/drift-detection":"disabled"}},
             "data":{"message":"mine"}}
            """)
        .orThrow();
    for (var look = 1; look <= 2; look++) {
      var value = "look-" + look;
      tenants.annotate("drift-mine", "requestedAt", value);
      eventually(
          value,
          () ->
              assertThat(tenants.get("drift-mine").at("/status/lastHandledReconcileAt").asText())
                  .isEqualTo(value));
    }
    assertThat(tenants.object(configMap).at("/data/message").asText()).isEqualTo("mine");
    assertThat(tenants.revisions("drift-mine")).containsExactly("deployed");
  }

  @Test
  void workloads_of_every_kind_keep_a_tenant_from_ready_until_they_are() {
    var admin = tenants.plane().admin();
    admin.post("/api/v1/nodes", "{\"metadata\":{\"name\":\"drift-node\"}}").orThrow();
    tenants.create("drift-set", "{\"values\":{\"statefulReplicas\":1}}");
    tenants.create("drift-daemon", "{\"values\":{\"daemon\":true}}");
    tenants.create("drift-job", "{\"values\":{\"job\":true}}");
    tenants.create("drift-jobs-end", "{\"values\":{\"job\":true}}");
    eventually(
        "each in its words",
        () -> {
          assertThat(tenants.message("drift-set")).contains("StatefulSet/state (0/1 ready)");
          assertThat(tenants.message("drift-daemon")).contains("DaemonSet/daemon (0/1 available)");
          assertThat(tenants.message("drift-job")).contains("Job/once (not complete)");
        });
    assertThat(tenants.phase("drift-job")).isNotEqualTo("Ready");
    eventually(
        "after its time",
        () -> assertThat(tenants.error("drift-set")).isEqualTo("True/WorkloadsNotReady"));
    assertThat(tenants.condition("drift-set", "Stalled")).isEqualTo("True/WorkloadsNotReady");

    tenants.values("drift-daemon", "{\"daemon\":false}");
    Fleet.completeJob(tenants.plane(), "drift-job", "once");
    failJob("drift-jobs-end");
    tenants.values("drift-set", "{\"statefulReplicas\":0}");

    for (var tenant : List.of("drift-set", "drift-daemon", "drift-job")) {
      eventually(tenant, () -> assertThat(tenants.phase(tenant)).isEqualTo("Ready"));
    }
    admin.delete("/api/v1/nodes/drift-node").orThrow();
    eventually(
        "failed at once",
        () -> assertThat(tenants.message("drift-jobs-end")).contains("Job/once (failed: Tired)"));
    assertThat(tenants.error("drift-jobs-end")).isEqualTo("True/WorkloadsNotReady");
    assertThat(tenants.revisions("drift-jobs-end")).as("no Helm run").containsExactly("deployed");
  }

  private void failJob(String namespace) {
    var now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    var condition =
        "{\"type\":\"%%s\",\"status\":\"True\",\"reason\":\"Tired\",\"lastTransitionTime\":\"%s\"}"
            .formatted(now);
    tenants
        .change(
            "/apis/batch/v1/namespaces/%s/jobs/once/status".formatted(namespace),
            "{\"status\":{\"active\":0,\"ready\":0,\"terminating\":0,\"failed\":1,\"conditions\":[%s,%s]}}"
                .formatted(condition.formatted("FailureTarget"), condition.formatted("Failed")))
        .orThrow();
  }
}

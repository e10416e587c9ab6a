// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.lab;

import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.krypton.base.kmsreport.ReportTarget;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/** The object that reporters write to, on a real API server. */
public record TargetObject(ControlPlane plane, ReportTarget target) {
  private static final Path OPENSHIFT = Path.of("src/test/resources/openshift");

  /** Installs the type and the object; both may be there already. */
  public static TargetObject install(ControlPlane plane, ReportTarget reportTarget) {
    var object = new TargetObject(plane, reportTarget);
    object.installType();
    await().atMost(Duration.ofSeconds(30)).until(() -> object.create().status() / 100 == 2);
    plane
        .admin()
        .apply(
            "/api/v1/namespaces/krypton-system",
            "lab",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"krypton-system\"}}")
        .orThrow();
    return object;
  }

  public void installType() {
    Manifests.apply(
        plane,
        switch (target) {
          case KMSHEALTH -> Manifests.CRDS.resolve("kmshealths.mesh.openkcm.io.yaml");
          case KUBEAPISERVER -> OPENSHIFT.resolve("kubeapiservers.yaml");
          case AUTHENTICATION -> OPENSHIFT.resolve("authentications.yaml");
          case OPENSHIFTAPISERVER -> throw new IllegalArgumentException("no type for it here");
        });
  }

  public ApiResponse create() {
    return plane
        .admin()
        .apply(
            path(),
            "lab",
            """
            {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "cluster"}, "spec": {}}
            """
                .formatted(target.apiVersion(), target.kind()));
  }

  public String path() {
    return target.statusPath().replace("/status", "");
  }

  public JsonNode read() {
    return plane.admin().get(path()).orThrow();
  }

  public String resourceVersion() {
    return read().at("/metadata/resourceVersion").asText();
  }

  /** Our condition of a node; missing if there is none. */
  public JsonNode condition(String node) {
    return condition(read(), "KMSHealthReporter_" + node);
  }

  public static JsonNode condition(JsonNode object, String type) {
    for (var condition : object.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** The typed entries of a node. */
  public List<JsonNode> entries(String node) {
    return read()
        .at("/status/encryptionStatus/healthReports")
        .valueStream()
        .filter(entry -> entry.path("nodeName").asText().equals(node))
        .toList();
  }

  /** The heartbeat of a node; missing if there is none. */
  public JsonNode lease(String node) {
    var answer =
        plane
            .admin()
            .get(
                "/apis/coordination.k8s.io/v1/namespaces/krypton-system/leases/kms-%s-%s"
                    .formatted(target.value(), node));
    return answer.ok() ? answer.body() : MissingNode.getInstance();
  }

  /** Conditions of somebody else, as an operator would write them. */
  public void applyForeignStatus(String manager, String status) {
    plane
        .admin()
        .apply(
            target.statusPath(),
            manager,
            """
            {"apiVersion": "%s", "kind": "%s", "metadata": {"name": "cluster"}, "status": %s}
            """
                .formatted(target.apiVersion(), target.kind(), status))
        .orThrow();
  }
}

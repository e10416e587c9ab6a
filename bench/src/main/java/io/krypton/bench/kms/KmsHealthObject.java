// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.harness.Polling;
import io.krypton.sandbox.ControlPlane;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The object that reporters write to, on a real API server. */
record KmsHealthObject(ControlPlane plane) {
  private static final String PATH = "/apis/mesh.openkcm.io/v1alpha1/kmshealths/cluster";
  private static final String CRD =
      "charts/krypton-operator/files/crds/kmshealths.mesh.openkcm.io.yaml";

  /** Defines the type, the namespace of Leases and the object. */
  static KmsHealthObject prepare(ControlPlane plane) throws Exception {
    var admin = plane.admin();
    admin
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kmshealths.mesh.openkcm.io",
            "bench",
            Files.readString(Path.of(CRD)))
        .orThrow();
    admin
        .apply(
            "/api/v1/namespaces/krypton-system",
            "bench",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"krypton-system\"}}")
        .orThrow();
    var object =
        "{\"apiVersion\":\"mesh.openkcm.io/v1alpha1\",\"kind\":\"KmsHealth\","
            + "\"metadata\":{\"name\":\"cluster\"},\"spec\":{}}";
    Polling.until("the type is served", () -> admin.apply(PATH, "bench", object).ok());
    return new KmsHealthObject(plane);
  }

  /** Whether a node's report says this of a plugin: healthy, unhealthy or unreachable. */
  boolean hasPluginStatus(String node, int plugin, String word) {
    for (var condition : plane.admin().get(PATH).orThrow().at("/status/conditions")) {
      if (condition.path("type").asText().equals("KMSHealthReporter_" + node)) {
        return condition
            .path("message")
            .asText()
            .lines()
            .map(line -> List.of(line.split(" ", -1)))
            .anyMatch(line -> line.contains("keyID=" + plugin) && line.contains("status=" + word));
      }
    }
    return false;
  }
}

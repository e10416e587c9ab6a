// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.sandbox.ControlPlane;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** Where the operator looks for kubeconfig Secrets. */
public record BenchHomeCluster(ControlPlane plane) {
  public static final String NAMESPACE = "bench";

  private static final String SECRETS = "/api/v1/namespaces/" + NAMESPACE + "/secrets";

  /** Makes the namespace that the Secrets go to. */
  public static BenchHomeCluster prepare(ControlPlane plane) {
    plane
        .admin()
        .post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"%s\"}}".formatted(NAMESPACE))
        .orThrow();
    return new BenchHomeCluster(plane);
  }

  /** A cluster that is discovered by its label. */
  public void register(String name, String kubeconfig) {
    secret(
        "{\"name\":\"%s\",\"labels\":{\"sigs.k8s.io/multicluster-runtime-kubeconfig\":\"true\"}}"
            .formatted(name),
        kubeconfig);
  }

  /** A cluster that is found by its name only. */
  public void storeUnlabelled(String name, String kubeconfig) {
    secret("{\"name\":\"%s\"}".formatted(name), kubeconfig);
  }

  private void secret(String metadata, String kubeconfig) {
    var data = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    plane
        .admin()
        .post(
            SECRETS, "{\"metadata\":%s,\"data\":{\"kubeconfig\":\"%s\"}}".formatted(metadata, data))
        .orThrow();
  }

  public void remove(String name) {
    plane.admin().delete(SECRETS + "/" + name).orThrow();
  }
}

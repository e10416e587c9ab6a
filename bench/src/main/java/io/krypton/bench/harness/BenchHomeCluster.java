// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Collectors;

/** Where the operator looks for kubeconfig Secrets. */
public record BenchHomeCluster(ControlPlane plane) {
  public static final String NAMESPACE = "bench";

  private static final String LABEL = "sigs.k8s.io/multicluster-runtime-kubeconfig";
  private static final String LABELLED =
      "{\"name\":\"%s\",\"labels\":{\"" + LABEL + "\":\"true\"}}";
  private static final String KEY = "kubeconfig";
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
    secret(LABELLED.formatted(name), Map.of(KEY, kubeconfig));
  }

  /** As {@link #register(String, String)}, with a kubeconfig for each data key. */
  public void register(String name, Map<String, String> kubeconfigs) {
    secret(LABELLED.formatted(name), kubeconfigs);
  }

  /** A cluster that is found by its name only. */
  public void storeUnlabelled(String name, String kubeconfig) {
    secret("{\"name\":\"%s\"}".formatted(name), Map.of(KEY, kubeconfig));
  }

  private void secret(String metadata, Map<String, String> kubeconfigs) {
    plane
        .admin()
        .post(SECRETS, "{\"metadata\":%s,\"data\":%s}".formatted(metadata, data(kubeconfigs)))
        .orThrow();
  }

  /** Other kubeconfigs for a cluster that is registered. */
  public ApiResponse replace(String name, Map<String, String> kubeconfigs) {
    return plane.admin().merge(SECRETS + "/" + name, "{\"data\":%s}".formatted(data(kubeconfigs)));
  }

  /** Only a labelled Secret engages its cluster. */
  public ApiResponse label(String name, boolean labelled) {
    return plane
        .admin()
        .merge(
            SECRETS + "/" + name,
            "{\"metadata\":{\"labels\":{\"%s\":%s}}}"
                .formatted(LABEL, labelled ? "\"true\"" : "null"));
  }

  private static String data(Map<String, String> kubeconfigs) {
    return kubeconfigs.entrySet().stream()
        .map(it -> "\"%s\":\"%s\"".formatted(it.getKey(), base64(it.getValue())))
        .collect(Collectors.joining(",", "{", "}"));
  }

  private static String base64(String text) {
    return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
  }

  public void remove(String name) {
    plane.admin().delete(SECRETS + "/" + name).orThrow();
  }
}

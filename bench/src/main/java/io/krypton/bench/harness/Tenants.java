// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Tenants of one cluster, and what became of them. */
public record Tenants(ControlPlane plane) {
  private static final String PATH = "/apis/mesh.openkcm.io/v1alpha1/namespaces/default/tenants";

  public void create(String name) {
    plane
        .admin()
        .post(
            PATH,
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant","metadata":{"name":"%s"},"spec":{}}
            """
                .formatted(name))
        .orThrow();
  }

  /** Values of its own, and so an upgrade of its release. */
  public void change(String name, String values) {
    plane
        .admin()
        .merge(PATH + "/" + name, "{\"spec\":{\"values\":%s}}".formatted(values))
        .orThrow();
  }

  /** How many are ready by the word of the API, as they are asked for now. */
  public int upToDate() {
    var count = 0;
    for (var tenant : plane.admin().get(PATH).orThrow().path("items")) {
      if (isReady(tenant, tenant.at("/metadata/generation").asLong())) {
        count++;
      }
    }
    return count;
  }

  public JsonNode read(String name) {
    return plane.admin().get(PATH + "/" + name).orThrow();
  }

  public boolean isReady(String name) {
    return isReady(read(name), 0);
  }

  static boolean isReady(JsonNode tenant, long generation) {
    for (var condition : tenant.at("/status/conditions")) {
      if (condition.path("type").asText().equals("Ready")) {
        return condition.path("status").asText().equals("True")
            && condition.path("observedGeneration").asLong() >= generation;
      }
    }
    return false;
  }

  /** Whether the release in the workspace of that name is there. */
  public boolean isDeployed(String name) {
    return plane
        .admin()
        .get(
            "/api/v1/namespaces/%s/secrets?labelSelector=owner=helm,status=deployed"
                .formatted(name))
        .body()
        .path("items")
        .has(0);
  }

  /** One after another: how long each takes from its creation to its deployed release. */
  public List<Duration> oneByOne(String prefix, int count) throws Exception {
    var times = new ArrayList<Duration>();
    for (var i = 0; i < count; i++) {
      times.add(single(prefix + i));
    }
    return times;
  }

  /** How long this one takes from its creation to its deployed release. */
  public Duration single(String name) throws Exception {
    var begun = System.nanoTime();
    create(name);
    Polling.timed("release of " + name, () -> isDeployed(name));
    return Duration.ofNanos(System.nanoTime() - begun);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.runtime;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.junit.TestNamespace;
import java.net.http.HttpRequest.BodyPublishers;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;

/** ConfigMaps of one namespace that change all the time; each change has a higher version. */
final class Workload {
  static final String LABEL = "workload";
  private static final String VERSION = "version";

  /** A change, and when the server had confirmed it. */
  record Change(String name, long version) {}

  private final KubeApi admin;
  private final String path;
  private final String namespace;
  private final List<String> names;
  private final Map<Change, Long> confirmed = new ConcurrentHashMap<>();
  private final Map<String, Long> versions = new HashMap<>();
  private final Map<String, String> resourceVersions = new HashMap<>();
  private long next = 1;

  Workload(TestNamespace namespace, int objects) {
    this.admin = namespace.controlPlane().admin();
    this.path = namespace.path() + "/configmaps";
    this.namespace = namespace.name();
    this.names = IntStream.range(0, objects).mapToObj(i -> "object-" + i).toList();
    for (var name : names) {
      resourceVersions.put(name, resourceVersion(admin.post(path, json(name, 0)).orThrow()));
      versions.put(name, 0L);
    }
  }

  String namespace() {
    return namespace;
  }

  List<String> names() {
    return names;
  }

  static long versionOf(ConfigMap object) {
    return Long.parseLong(object.getData().get(VERSION));
  }

  private static String json(String name, long version) {
    return """
    {"apiVersion": "v1", "kind": "ConfigMap", "data": {"version": "%d"},
     "metadata": {"name": "%s", "labels": {"workload": "true"}}}
    """
        .formatted(version, name);
  }

  synchronized void changeAll() {
    names.forEach(this::change);
  }

  private synchronized void change(String name) {
    var version = next++;
    var stored =
        admin
            .send(
                admin
                    .request(path + "/" + name)
                    .header("Content-Type", "application/json")
                    .PUT(BodyPublishers.ofString(json(name, version))))
            .orThrow();
    resourceVersions.put(name, resourceVersion(stored));
    confirmed.put(new Change(name, version), System.nanoTime());
    versions.put(name, version);
  }

  /** What the cluster holds. */
  synchronized Map<String, Long> versions() {
    return Map.copyOf(versions);
  }

  /** The same as the API server counts it. */
  synchronized Map<String, String> resourceVersions() {
    return Map.copyOf(resourceVersions);
  }

  private static String resourceVersion(JsonNode stored) {
    return stored.at("/metadata/resourceVersion").asText();
  }

  Map<Change, Long> confirmed() {
    return Map.copyOf(confirmed);
  }

  /** Changes one object after the other, of all workloads at once, while something is done. */
  static void changing(Duration pause, List<Workload> workloads, Runnable meanwhile) {
    var ending = new CountDownLatch(1);
    var writers =
        workloads.stream()
            .map(workload -> Thread.ofVirtual().start(() -> workload.changeUntil(ending, pause)))
            .toList();
    try {
      meanwhile.run();
    } finally {
      ending.countDown();
      writers.forEach(Workload::join);
    }
  }

  private void changeUntil(CountDownLatch ending, Duration pause) {
    try {
      for (var i = 0; !ending.await(pause.toNanos(), TimeUnit.NANOSECONDS); i++) {
        change(names.get(i % names.size()));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static void join(Thread writer) {
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

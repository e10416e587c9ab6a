// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.nodes;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.access.KubeApi;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * Nodes {@code node-1} to {@code node-N} that KWOK plays. A pod on one of them runs at once, unless
 * it carries one of the annotations here, or the tag of one of its images says what shall go wrong:
 * {@code broken} for an image that cannot be pulled, {@code crash} for a container that crashes.
 */
public final class SimulatedNodes {
  /** Set to {@code "true"}: the pod runs and never becomes ready. */
  public static final String NEVER_READY = "sandbox.krypton.io/never-ready";

  /** Set to {@code "true"}: the pod crashes, again and again if its restart policy says so. */
  public static final String CRASH = "sandbox.krypton.io/crash";

  /** A duration such as {@code 5s} that passes until the pod runs. */
  public static final String READY_AFTER = "sandbox.krypton.io/ready-after";

  /** Beyond it there would be no addresses for pods. */
  public static final int MAX = 100;

  private static final String NOT_READY_TAINT = "node.kubernetes.io/not-ready";
  private static final int ZONES = 3;

  /** In jq, as the stages of KWOK want it; without single quotes, since it is put into some. */
  private static final String BEHAVIOUR =
      """
      (.metadata.annotations // {}) as $asked \
      | [.spec.containers[].image // ""] as $images \
      | if $asked["%s"] == "true" or any($images[]; test(":[^/]*crash[^/]*$")) then "crash" \
      elif $asked["%s"] == "true" then "never-ready" \
      elif any($images[]; test(":[^/]*broken[^/]*$")) then "broken-image" \
      else "run" end\
      """
          .formatted(CRASH, NEVER_READY);

  private static final String STORAGE_CLASS =
      """
      {
        "apiVersion": "storage.k8s.io/v1",
        "kind": "StorageClass",
        "metadata": {
          "name": "standard",
          "annotations": {"storageclass.kubernetes.io/is-default-class": "true"}
        },
        "provisioner": "sandbox.krypton.io/nothing"
      }
      """;

  private final KubeApi admin;
  private final int count;

  public SimulatedNodes(KubeApi admin, int count) {
    this.admin = admin;
    this.count = count;
  }

  /** The configuration file of KWOK. */
  public static String kwokConfiguration() {
    try (InputStream in = SimulatedNodes.class.getResourceAsStream("kwok.yaml")) {
      if (in == null) {
        throw new IllegalStateException("kwok.yaml is not on the class path");
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8)
          .replace("@BEHAVIOUR@", BEHAVIOUR);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The nodes, and the storage class for claims that name none. */
  public void create() {
    admin.post("/apis/storage.k8s.io/v1/storageclasses", STORAGE_CLASS).orThrow();
    for (var number = 1; number <= count; number++) {
      admin.post("/api/v1/nodes", node(number)).orThrow();
    }
  }

  /** Whether KWOK has spoken for every node, and the scheduler may use those that are ready. */
  public boolean haveJoined() {
    var nodes = admin.get("/api/v1/nodes");
    return nodes.ok() && stream(nodes.body().path("items")).allMatch(SimulatedNodes::hasJoined);
  }

  private static boolean hasJoined(JsonNode node) {
    var ready =
        stream(node.at("/status/conditions"))
            .filter(condition -> condition.path("type").asText().equals("Ready"))
            .map(condition -> condition.path("status").asText())
            .findFirst();
    return ready.isPresent()
        && (!ready.get().equals("True")
            || stream(node.at("/spec/taints"))
                .noneMatch(taint -> taint.path("key").asText().equals(NOT_READY_TAINT)));
  }

  private static String node(int number) {
    return """
    {
      "apiVersion": "v1",
      "kind": "Node",
      "metadata": {
        "name": "node-%1$d",
        "annotations": {"kwok.x-k8s.io/node": "fake"},
        "labels": {
          "kubernetes.io/hostname": "node-%1$d",
          "kubernetes.io/os": "linux",
          "kubernetes.io/arch": "amd64",
          "topology.kubernetes.io/region": "sandbox",
          "topology.kubernetes.io/zone": "sandbox-%2$d"
        }
      },
      "spec": {"podCIDR": "10.%3$d.0.0/16", "podCIDRs": ["10.%3$d.0.0/16"]},
      "status": {
        "addresses": [
          {"type": "InternalIP", "address": "10.%3$d.255.254"},
          {"type": "Hostname", "address": "node-%1$d"}
        ]
      }
    }
    """
        .formatted(number, (number - 1) % ZONES + 1, MAX + number);
  }

  private static Stream<JsonNode> stream(JsonNode list) {
    return StreamSupport.stream(list.spliterator(), false);
  }
}

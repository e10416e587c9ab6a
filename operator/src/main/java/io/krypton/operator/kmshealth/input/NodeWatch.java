// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import io.fabric8.kubernetes.api.model.Node;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.api.kmshealth.KmsHealthSpec.ExpectedNodes;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.ObjectCache;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The nodes with certain labels. Only those are watched: the worker nodes of a large cluster would
 * cost memory and concern nobody here.
 */
public final class NodeWatch implements AutoCloseable {
  private final String cluster;
  private final KubernetesClient client;
  private final Runnable enqueue;
  private @Nullable Map<String, String> labels;
  private @Nullable InformerCache<Node> cache;
  private boolean closed;

  public NodeWatch(String cluster, KubernetesClient client, Runnable wake) {
    this.cluster = cluster;
    this.client = client;
    this.enqueue = wake;
  }

  /** Empty while they cannot be listed; no labels mean those of the control plane. */
  synchronized Optional<List<Node>> nodes(Map<String, String> wanted) {
    if (cache == null || !wanted.equals(labels)) {
      watch(wanted);
    }
    var present = cache;
    return present == null ? Optional.empty() : readable(present);
  }

  /** A list that cannot be read any more is as good as none: nobody is removed by an old one. */
  static Optional<List<Node>> readable(ObjectCache<Node> cache) {
    return cache.hasSynced() && cache.failure().isEmpty()
        ? Optional.of(cache.list())
        : Optional.empty();
  }

  private void watch(Map<String, String> wanted) {
    if (closed) {
      return;
    }
    if (cache != null) {
      cache.close();
    }
    var selected =
        wanted.isEmpty()
            ? client.nodes().withLabel(ExpectedNodes.DEFAULT_NODE_LABEL)
            : client.nodes().withLabels(wanted);
    var fresh = new InformerCache<>(cluster + "/nodes", selected);
    fresh.subscribe((before, after) -> enqueue.run());
    labels = Map.copyOf(wanted);
    cache = fresh;
    fresh.start();
    var _ = fresh.synced().thenRun(enqueue);
  }

  public synchronized void reconnect() {
    if (cache != null) {
      cache.reconnect();
    }
  }

  @Override
  public synchronized void close() {
    closed = true;
    if (cache != null) {
      cache.close();
    }
  }
}

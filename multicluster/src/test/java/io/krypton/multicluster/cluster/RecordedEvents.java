// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.awaitility.Awaitility;

/** Records events, and waits for them. */
public final class RecordedEvents {
  private final List<ClusterEvent> recorded = new CopyOnWriteArrayList<>();

  public void on(ClusterEvent event) {
    recorded.add(event);
  }

  public List<ClusterEvent> all() {
    return List.copyOf(recorded);
  }

  public void forget() {
    recorded.clear();
  }

  public <T extends ClusterEvent> List<T> all(Class<T> type, String cluster) {
    return recorded.stream()
        .filter(type::isInstance)
        .map(type::cast)
        .filter(event -> event.name().value().equals(cluster))
        .toList();
  }

  /** The first event of a kind about a cluster, awaited. */
  public <T extends ClusterEvent> T await(Class<T> type, String cluster, Duration limit) {
    Awaitility.await()
        .pollInterval(Duration.ofMillis(10))
        .atMost(limit)
        .until(() -> !all(type, cluster).isEmpty());
    return all(type, cluster).getFirst();
  }
}

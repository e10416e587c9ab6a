package io.krypton.multicluster.cluster;

/**
 * Hears of the events of clusters. The events of one cluster come in order, one at a time, on that
 * cluster's own thread; a listener that blocks holds up that cluster only, but should not. Only
 * {@link ClusterEvent.Duplicate}, which takes a request to find out, comes from another thread.
 */
@FunctionalInterface
public interface ClusterListener {
  void on(ClusterEvent event);
}

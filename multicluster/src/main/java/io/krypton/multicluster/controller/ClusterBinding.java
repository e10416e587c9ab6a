// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.controller;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cache.ObjectCache.Subscription;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.multicluster.queue.WorkQueue;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Future;
import java.util.stream.Collectors;

/**
 * The watches of one cluster, bound to the queue. Its keys are parked while a cache has not synced,
 * because a reconciler would take "not listed yet" for "does not exist", and while the cluster is
 * unreachable.
 */
final class ClusterBinding {
  private final String cluster;
  private final List<ControllerWatch<?>> watches;
  private final WorkQueue queue;
  private final CompletableFuture<Void> synced;
  private List<Subscription> subscriptions = List.of();
  private boolean parked;
  private boolean open;

  ClusterBinding(String cluster, List<ControllerWatch<?>> watches, WorkQueue queue) {
    this.cluster = cluster;
    this.watches = List.copyOf(watches);
    this.queue = queue;
    this.synced =
        CompletableFuture.allOf(
            this.watches.stream()
                .map(ControllerWatch::cache)
                .map(ObjectCache::synced)
                .toArray(CompletableFuture<?>[]::new));
  }

  synchronized void open() {
    open = true;
    queue.park(cluster);
    subscriptions = watches.stream().map(this::subscribe).toList();
    var _ = synced.thenRun(this::review);
  }

  private <T extends HasMetadata> Subscription subscribe(ControllerWatch<T> controllerWatch) {
    return controllerWatch
        .cache()
        .subscribe(
            (before, after) -> {
              if (controllerWatch.predicate().test(before, after)) {
                var resetBackoff = controllerWatch.resetPredicate().test(before, after);
                var respectBackoff = controllerWatch.respectsBackoff() && !resetBackoff;
                controllerWatch
                    .keysFor(cluster, before, after)
                    .forEach(key -> enqueue(key, resetBackoff, respectBackoff));
              }
            });
  }

  private synchronized void enqueue(WorkKey key, boolean resetBackoff, boolean respectBackoff) {
    if (!open) {
      return;
    }
    if (resetBackoff) {
      queue.resetBackoff(key);
    }
    if (respectBackoff) {
      queue.addAfterBackoff(key);
    } else {
      queue.add(key);
    }
  }

  synchronized void park(boolean park) {
    parked = park;
    review();
  }

  private synchronized void review() {
    if (!open) {
      return;
    }
    if (parked || synced.state() != Future.State.SUCCESS) {
      queue.park(cluster);
    } else {
      queue.unpark(cluster);
    }
  }

  /**
   * Enqueues all current objects. Secondary objects would map to the same keys, many times over.
   */
  void enqueueAll() {
    var primary = watches.stream().filter(ControllerWatch::primary).toList();
    var keys =
        (primary.isEmpty() ? watches : primary)
            .stream()
                .flatMap(controllerWatch -> controllerWatch.allKeys(cluster))
                .collect(Collectors.toSet());
    synchronized (this) {
      if (open) {
        queue.addAll(keys);
      }
    }
  }

  synchronized void close() {
    open = false;
    subscriptions.forEach(Subscription::close);
    queue.drop(cluster);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.cli.view.View.WatchRegistry;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.client.ClusterConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Watches what looks depend on. A burst of changes is one piece of news, and news come at most
 * twice a second: nobody reads faster, and each costs a look.
 */
final class ChangeWatcher implements WatchRegistry, AutoCloseable {
  private static final Duration DEBOUNCE = Duration.ofMillis(500);

  private final Duration debounce;
  private final Semaphore changes = new Semaphore(0);
  private final Map<String, List<AutoCloseable>> watched = new HashMap<>();
  private final Set<String> usedByThisView = new HashSet<>();
  private long lastChange = System.nanoTime();

  ChangeWatcher() {
    this(DEBOUNCE);
  }

  ChangeWatcher(Duration calm) {
    this.debounce = calm;
  }

  @Override
  public void watch(String key, Session session, MetadataSelection objects) {
    watch(key, session::client, objects);
  }

  void watch(String key, Supplier<KubernetesClient> client, MetadataSelection objects) {
    usedByThisView.add(key);
    watched.computeIfAbsent(key, _ -> List.of(startCache(key, client.get(), objects)));
  }

  @Override
  public void watch(
      String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects) {
    usedByThisView.add(key);
    watched.computeIfAbsent(
        key,
        _ -> {
          var opened = new ArrayList<AutoCloseable>();
          var connection = connecting.get();
          objects.forEach(kind -> opened.add(startCache(key, connection.client(), kind)));
          opened.add(connection);
          return opened;
        });
  }

  private AutoCloseable startCache(
      String name, KubernetesClient client, MetadataSelection objects) {
    var cache = new MetadataCache(name, client, objects, Map.of());
    cache.subscribe((_, _) -> changed());
    cache.start();
    return cache;
  }

  void changed() {
    changes.release();
  }

  /** The look is done: what it did not need any more, such as a cluster that left, is let go. */
  void releaseUnused() {
    var left = new HashMap<>(watched);
    left.keySet().removeAll(usedByThisView);
    left.values().forEach(ChangeWatcher::close);
    watched.keySet().retainAll(usedByThisView);
    usedByThisView.clear();
  }

  /** Waits for a change, but not longer than this; returns whether there was one. */
  boolean await(Duration longest) throws InterruptedException {
    var changed = changes.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
    var early = debounce.minusNanos(System.nanoTime() - lastChange);
    if (early.isPositive()) {
      Thread.sleep(early);
    }
    changes.drainPermits();
    lastChange = System.nanoTime();
    return changed;
  }

  @Override
  public void close() {
    watched.values().forEach(ChangeWatcher::close);
    watched.clear();
  }

  private static void close(List<AutoCloseable> opened) {
    for (var each : opened) {
      try {
        each.close();
      } catch (Exception e) {
        throw new IllegalStateException("a watch did not end", e);
      }
    }
  }
}

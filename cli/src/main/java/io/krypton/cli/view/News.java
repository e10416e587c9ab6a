package io.krypton.cli.view;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cluster.client.ClusterConnection;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
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
final class News implements Follower, AutoCloseable {
  private static final Duration CALM = Duration.ofMillis(500);

  private final Duration calm;
  private final Semaphore changes = new Semaphore(0);
  private final Map<String, List<AutoCloseable>> followed = new HashMap<>();
  private final Set<String> neededByThisLook = new HashSet<>();
  private long lastNews = System.nanoTime();

  News() {
    this(CALM);
  }

  News(Duration calm) {
    this.calm = calm;
  }

  @Override
  public void follow(String key, KubernetesClient client, MetadataSelection objects) {
    neededByThisLook.add(key);
    followed.computeIfAbsent(key, _ -> List.of(watch(key, client, objects)));
  }

  @Override
  public void follow(
      String key, Supplier<ClusterConnection> connecting, List<MetadataSelection> objects) {
    neededByThisLook.add(key);
    followed.computeIfAbsent(
        key,
        _ -> {
          var opened = new ArrayList<AutoCloseable>();
          var connection = connecting.get();
          objects.forEach(kind -> opened.add(watch(key, connection.client(), kind)));
          opened.add(connection);
          return opened;
        });
  }

  private AutoCloseable watch(String name, KubernetesClient client, MetadataSelection objects) {
    var cache = new MetadataCache(name, client, objects, Map.of());
    cache.subscribe((_, _) -> changed());
    cache.start();
    return cache;
  }

  void changed() {
    changes.release();
  }

  /** The look is done: what it did not need any more, such as a cluster that left, is let go. */
  void lookEnds() {
    var left = new HashMap<>(followed);
    left.keySet().removeAll(neededByThisLook);
    left.values().forEach(News::close);
    followed.keySet().retainAll(neededByThisLook);
    neededByThisLook.clear();
  }

  /** Waits for a change, but not longer than this; returns whether there was one. */
  boolean await(Duration longest) throws InterruptedException {
    var changed = changes.tryAcquire(longest.toNanos(), TimeUnit.NANOSECONDS);
    var early = calm.minusNanos(System.nanoTime() - lastNews);
    if (early.isPositive()) {
      Thread.sleep(early);
    }
    changes.drainPermits();
    lastNews = System.nanoTime();
    return changed;
  }

  @Override
  public void close() {
    followed.values().forEach(News::close);
    followed.clear();
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

package io.krypton.operator.helm;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Turns for operations, first come first served: so many at once, and fewer on one cluster. */
final class Slots {
  private final Semaphore all;
  private final int perCluster;
  private final Map<String, Queue> clusters = new ConcurrentHashMap<>();

  private record Queue(Semaphore turns, int users) {}

  Slots(int all, int perCluster) {
    this.all = new Semaphore(all, true);
    this.perCluster = perCluster;
  }

  /** A turn that its close gives back. */
  @FunctionalInterface
  interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /** A turn, or null if none became free in time. */
  @Nullable Turn acquire(String cluster, Duration wait) throws InterruptedException {
    var deadline = System.nanoTime() + wait.toNanos();
    var turns = enter(cluster);
    var got = false;
    try {
      // The cluster's first: whoever waits for a crowded cluster must not hold a turn of others.
      if (!turns.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS)) {
        return null;
      }
      try {
        got = all.tryAcquire(deadline - System.nanoTime(), TimeUnit.NANOSECONDS);
      } finally {
        if (!got) {
          turns.release();
        }
      }
    } finally {
      if (!got) {
        leave(cluster);
      }
    }
    if (!got) {
      return null;
    }
    return () -> {
      all.release();
      turns.release();
      leave(cluster);
    };
  }

  int clustersInUse() {
    return clusters.size();
  }

  private Semaphore enter(String cluster) {
    return clusters.compute(
            cluster,
            (name, queue) ->
                queue == null
                    ? new Queue(new Semaphore(perCluster, true), 1)
                    : new Queue(queue.turns, queue.users + 1))
        .turns;
  }

  private void leave(String cluster) {
    clusters.computeIfPresent(
        cluster,
        (name, queue) -> queue.users == 1 ? null : new Queue(queue.turns, queue.users - 1));
  }
}

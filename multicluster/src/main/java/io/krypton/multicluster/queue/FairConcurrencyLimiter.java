// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SequencedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A non-blocking semaphore whose permits are shared between clusters by {@link ConcurrencyLimits}.
 * Without a free permit the caller is queued and called back when there is one: first come first
 * served within a cluster, in rotation between clusters. The permit is reserved from the callback
 * on; if it is not acquired soon, it is offered to the next.
 *
 * @param <K> identifies a caller; it acquires an offered permit with an equal key
 */
public final class FairConcurrencyLimiter<K> {
  private static final long OFFER_EXPIRY = Duration.ofSeconds(10).toNanos();

  /** Who holds a permit for so long may not use the reserve, and for a while after. */
  private static final long SLOW = Duration.ofSeconds(30).toNanos();

  private static final long SLOW_FOR = Duration.ofMinutes(10).toNanos();

  private final Supplier<ConcurrencyLimits> limits;
  private final LongSupplier nanoTime;

  /** Clusters with held or wanted permits; the next one is first. */
  private final SequencedMap<String, ClusterWaiters> clusters = new LinkedHashMap<>();

  /** When clusters were last slow. */
  private final Map<String, Long> slow = new HashMap<>();

  private int inUse;

  /** Permits of one cluster: held, offered and wanted. */
  private final class ClusterWaiters {
    private final SequencedMap<K, Runnable> waiting = new LinkedHashMap<>();

    /** With the time of the offer. */
    private final Map<K, Long> offered = new LinkedHashMap<>();

    private final Map<Permit, Long> held = new LinkedHashMap<>();

    int size() {
      return held.size() + offered.size();
    }

    boolean isIdle() {
      return size() == 0 && waiting.isEmpty();
    }
  }

  /** A permit; closing it releases it. */
  @FunctionalInterface
  public interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * A limiter without acquired permits.
   *
   * @param nanoTime a monotonic clock in nanoseconds, as {@link System#nanoTime}
   */
  public FairConcurrencyLimiter(ConcurrencyLimits limits, LongSupplier nanoTime) {
    this(() -> limits, nanoTime);
  }

  /**
   * The same, with limits that may change while it is used.
   *
   * @param limits asked before each permit
   */
  public FairConcurrencyLimiter(Supplier<ConcurrencyLimits> limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * A permit, or nothing. Then {@code onPermit} runs as soon as there is one, on the thread that
   * released it. Trying again keeps the position in the queue.
   */
  public Optional<Permit> tryAcquire(String cluster, K key, Runnable onPermit) {
    var callbacks = new ArrayList<Runnable>();
    var permit = tryAcquire(cluster, key, onPermit, callbacks);
    notifyWaiters(callbacks);
    return Optional.ofNullable(permit);
  }

  private synchronized @Nullable Permit tryAcquire(
      String cluster, K key, Runnable onPermit, List<Runnable> callbacks) {
    var now = nanoTime.getAsLong();
    var waiters = clusters.computeIfAbsent(cluster, first -> new ClusterWaiters());
    if (!waiters.offered.containsKey(key)) {
      waiters.waiting.putIfAbsent(key, onPermit);
      waiters.waiting.replace(key, onPermit);
      grant(now, callbacks);
    }
    if (waiters.offered.remove(key) == null) {
      return null;
    }
    callbacks.remove(onPermit);
    return hold(cluster, waiters, now);
  }

  private Permit hold(String cluster, ClusterWaiters waiters, long now) {
    var permit =
        new Permit() {
          @Override
          public void close() {
            release(cluster, waiters, this);
          }
        };
    waiters.held.put(permit, now);
    return permit;
  }

  private void release(String cluster, ClusterWaiters waiters, Permit permit) {
    var callbacks = new ArrayList<Runnable>();
    synchronized (this) {
      var since = waiters.held.remove(permit);
      if (since == null) {
        return; // Released already.
      }
      inUse--;
      var now = nanoTime.getAsLong();
      if (now - since >= SLOW) {
        slow.values().removeIf(seen -> now - seen >= SLOW_FOR);
        slow.put(cluster, now);
      } else {
        slow.remove(cluster);
      }
      grant(now, callbacks);
    }
    notifyWaiters(callbacks);
  }

  /** Leaves the queue; a permit that was offered to the key goes to the next. */
  public void cancel(String cluster, K key) {
    var callbacks = new ArrayList<Runnable>();
    synchronized (this) {
      var waiters = clusters.get(cluster);
      if (waiters == null) {
        return;
      }
      waiters.waiting.remove(key);
      if (waiters.offered.remove(key) != null) {
        inUse--;
      }
      grant(nanoTime.getAsLong(), callbacks);
    }
    notifyWaiters(callbacks);
  }

  private void notifyWaiters(List<Runnable> callbacks) {
    callbacks.forEach(Runnable::run);
    if (!callbacks.isEmpty()) {
      // Expires offers, also when nothing else happens.
      CompletableFuture.delayedExecutor(OFFER_EXPIRY, TimeUnit.NANOSECONDS).execute(this::review);
    }
  }

  private void review() {
    var callbacks = new ArrayList<Runnable>();
    synchronized (this) {
      grant(nanoTime.getAsLong(), callbacks);
    }
    notifyWaiters(callbacks);
  }

  /** Offers all free permits. */
  private void grant(long now, List<Runnable> callbacks) {
    for (var waiters : clusters.values()) {
      var before = waiters.offered.size();
      waiters.offered.values().removeIf(since -> now - since >= OFFER_EXPIRY);
      inUse -= before - waiters.offered.size();
    }
    clusters.values().removeIf(ClusterWaiters::isIdle);
    for (var next = next(now); next != null; next = next(now)) {
      var waiters = Objects.requireNonNull(clusters.remove(next));
      clusters.putLast(next, waiters);
      var first = waiters.waiting.pollFirstEntry();
      waiters.offered.put(first.getKey(), now);
      inUse++;
      callbacks.add(first.getValue());
    }
  }

  private @Nullable String next(long now) {
    var current = limits.get();
    if (inUse >= current.total()) {
      return null;
    }
    for (var entry : clusters.entrySet()) {
      var waiters = entry.getValue();
      if (!waiters.waiting.isEmpty()
          && current.allow(
              waiters.size(), inUse, clusters.size(), !isSlow(entry.getKey(), waiters, now))) {
        return entry.getKey();
      }
    }
    return null;
  }

  private boolean isSlow(String cluster, ClusterWaiters waiters, long now) {
    var seen = slow.get(cluster);
    return (seen != null && now - seen < SLOW_FOR)
        || waiters.held.values().stream().anyMatch(since -> now - since >= SLOW);
  }

  /** Clusters with held or wanted permits. */
  synchronized int clusters() {
    return clusters.size();
  }
}

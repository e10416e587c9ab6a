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
import org.jspecify.annotations.Nullable;

/**
 * Turns at something scarce, shared between clusters by {@link ConcurrencyLimits}. Nobody waits
 * here: whoever finds no turn leaves, and is called when there is one, first come first served on
 * each cluster and in rotation between them. A called one has its turn already; if it does not come
 * for it soon, the next one is called.
 *
 * @param <K> who takes a turn; it is asked for again with an equal one
 */
public final class FairConcurrencyLimiter<K> {
  private static final long OFFER_EXPIRY = Duration.ofSeconds(10).toNanos();

  /** Whoever takes so long has no claim on what is kept for others, and for a while after it. */
  private static final long SLOW = Duration.ofSeconds(30).toNanos();

  private static final long SLOW_FOR = Duration.ofMinutes(10).toNanos();

  private final ConcurrencyLimits concurrencyLimits;
  private final LongSupplier nanoTime;

  /** Those that have or want turns; the one that is served next comes first. */
  private final SequencedMap<String, ClusterWaiters> clusters = new LinkedHashMap<>();

  /** When clusters were last seen to be slow. */
  private final Map<String, Long> slow = new HashMap<>();

  private int taken;

  /** What one cluster has and wants. */
  private final class ClusterWaiters {
    private final SequencedMap<K, Runnable> waiting = new LinkedHashMap<>();

    /** Since when. */
    private final Map<K, Long> offered = new LinkedHashMap<>();

    private final Map<Permit, Long> held = new LinkedHashMap<>();

    int size() {
      return held.size() + offered.size();
    }

    boolean isIdle() {
      return size() == 0 && waiting.isEmpty();
    }
  }

  /** A turn, which its close gives back. */
  @FunctionalInterface
  public interface Permit extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * None is taken yet.
   *
   * @param nanoTime a monotonic clock in nanoseconds, as {@link System#nanoTime}
   */
  public FairConcurrencyLimiter(ConcurrencyLimits concurrencyLimits, LongSupplier nanoTime) {
    this.concurrencyLimits = concurrencyLimits;
    this.nanoTime = nanoTime;
  }

  /**
   * A turn, or nothing. Then {@code call} is run as soon as there is one, on the thread of whoever
   * made room. Asking again keeps the place in the line.
   */
  public Optional<Permit> tryAcquire(String cluster, K who, Runnable call) {
    var calls = new ArrayList<Runnable>();
    var permit = tryAcquire(cluster, who, call, calls);
    notifyWaiters(calls);
    return Optional.ofNullable(permit);
  }

  private synchronized @Nullable Permit tryAcquire(
      String cluster, K who, Runnable call, List<Runnable> calls) {
    var now = nanoTime.getAsLong();
    var clusterWaiters = clusters.computeIfAbsent(cluster, first -> new ClusterWaiters());
    if (!clusterWaiters.offered.containsKey(who)) {
      clusterWaiters.waiting.putIfAbsent(who, call);
      clusterWaiters.waiting.replace(who, call);
      grant(now, calls);
    }
    if (clusterWaiters.offered.remove(who) == null) {
      return null;
    }
    calls.remove(call);
    return hold(cluster, clusterWaiters, now);
  }

  private Permit hold(String cluster, ClusterWaiters clusterWaiters, long now) {
    var turn =
        new Permit() {
          @Override
          public void close() {
            release(cluster, clusterWaiters, this);
          }
        };
    clusterWaiters.held.put(turn, now);
    return turn;
  }

  private void release(String cluster, ClusterWaiters clusterWaiters, Permit permit) {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      var since = clusterWaiters.held.remove(permit);
      if (since == null) {
        return; // Given back already.
      }
      taken--;
      var now = nanoTime.getAsLong();
      if (now - since >= SLOW) {
        slow.values().removeIf(seen -> now - seen >= SLOW_FOR);
        slow.put(cluster, now);
      } else {
        slow.remove(cluster);
      }
      grant(now, calls);
    }
    notifyWaiters(calls);
  }

  /** It wants no turn any more; one that it was called for goes to the next. */
  public void cancel(String cluster, K who) {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      var clusterWaiters = clusters.get(cluster);
      if (clusterWaiters == null) {
        return;
      }
      clusterWaiters.waiting.remove(who);
      if (clusterWaiters.offered.remove(who) != null) {
        taken--;
      }
      grant(nanoTime.getAsLong(), calls);
    }
    notifyWaiters(calls);
  }

  private void notifyWaiters(List<Runnable> calls) {
    calls.forEach(Runnable::run);
    if (!calls.isEmpty()) {
      // For those that do not come, also when nothing else happens.
      CompletableFuture.delayedExecutor(OFFER_EXPIRY, TimeUnit.NANOSECONDS).execute(this::review);
    }
  }

  private void review() {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      grant(nanoTime.getAsLong(), calls);
    }
    notifyWaiters(calls);
  }

  /** Calls as many as there are turns for. */
  private void grant(long now, List<Runnable> calls) {
    for (var clusterWaiters : clusters.values()) {
      var before = clusterWaiters.offered.size();
      clusterWaiters.offered.values().removeIf(since -> now - since >= OFFER_EXPIRY);
      taken -= before - clusterWaiters.offered.size();
    }
    clusters.values().removeIf(ClusterWaiters::isIdle);
    for (var next = next(now); next != null; next = next(now)) {
      var clusterWaiters = Objects.requireNonNull(clusters.remove(next));
      clusters.putLast(next, clusterWaiters);
      var first = clusterWaiters.waiting.pollFirstEntry();
      clusterWaiters.offered.put(first.getKey(), now);
      taken++;
      calls.add(first.getValue());
    }
  }

  private @Nullable String next(long now) {
    if (taken >= concurrencyLimits.total()) {
      return null;
    }
    for (var entry : clusters.entrySet()) {
      var clusterWaiters = entry.getValue();
      if (!clusterWaiters.waiting.isEmpty()
          && concurrencyLimits.allow(
              clusterWaiters.size(),
              taken,
              clusters.size(),
              !isSlow(entry.getKey(), clusterWaiters, now))) {
        return entry.getKey();
      }
    }
    return null;
  }

  private boolean isSlow(String cluster, ClusterWaiters clusterWaiters, long now) {
    var seen = slow.get(cluster);
    return (seen != null && now - seen < SLOW_FOR)
        || clusterWaiters.held.values().stream().anyMatch(since -> now - since >= SLOW);
  }

  /** Clusters that have or want turns. */
  synchronized int clusters() {
    return clusters.size();
  }
}

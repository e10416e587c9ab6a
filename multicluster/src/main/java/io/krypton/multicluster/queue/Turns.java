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
 * Turns at something scarce, shared between clusters by {@link Limits}. Nobody waits here: whoever
 * finds no turn leaves, and is called when there is one, first come first served on each cluster
 * and in rotation between them. A called one has its turn already; if it does not come for it soon,
 * the next one is called.
 *
 * @param <K> who takes a turn; it is asked for again with an equal one
 */
public final class Turns<K> {
  private static final long CALL_HOLDS = Duration.ofSeconds(10).toNanos();

  /** Whoever takes so long has no claim on what is kept for others, and for a while after it. */
  private static final long SLOW = Duration.ofSeconds(30).toNanos();

  private static final long SLOW_FOR = Duration.ofMinutes(10).toNanos();

  private final Limits limits;
  private final LongSupplier nanoTime;

  /** Those that have or want turns; the one that is served next comes first. */
  private final SequencedMap<String, Line> lines = new LinkedHashMap<>();

  /** When clusters were last seen to be slow. */
  private final Map<String, Long> slow = new HashMap<>();

  private int taken;

  /** What one cluster has and wants. */
  private final class Line {
    private final SequencedMap<K, Runnable> waiting = new LinkedHashMap<>();

    /** Since when. */
    private final Map<K, Long> called = new LinkedHashMap<>();

    private final Map<Turn, Long> held = new LinkedHashMap<>();

    int size() {
      return held.size() + called.size();
    }

    boolean isIdle() {
      return size() == 0 && waiting.isEmpty();
    }
  }

  /** A turn, which its close gives back. */
  @FunctionalInterface
  public interface Turn extends AutoCloseable {
    @Override
    void close();
  }

  /**
   * None is taken yet.
   *
   * @param nanoTime a monotonic clock in nanoseconds, as {@link System#nanoTime}
   */
  public Turns(Limits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  /**
   * A turn, or nothing. Then {@code call} is run as soon as there is one, on the thread of whoever
   * made room. Asking again keeps the place in the line.
   */
  public Optional<Turn> take(String cluster, K who, Runnable call) {
    var calls = new ArrayList<Runnable>();
    var turn = take(cluster, who, call, calls);
    call(calls);
    return Optional.ofNullable(turn);
  }

  private synchronized @Nullable Turn take(
      String cluster, K who, Runnable call, List<Runnable> calls) {
    var now = nanoTime.getAsLong();
    var line = lines.computeIfAbsent(cluster, first -> new Line());
    if (!line.called.containsKey(who)) {
      line.waiting.putIfAbsent(who, call);
      line.waiting.replace(who, call);
      serve(now, calls);
    }
    if (line.called.remove(who) == null) {
      return null;
    }
    calls.remove(call);
    return hold(cluster, line, now);
  }

  private Turn hold(String cluster, Line line, long now) {
    var turn =
        new Turn() {
          @Override
          public void close() {
            giveBack(cluster, line, this);
          }
        };
    line.held.put(turn, now);
    return turn;
  }

  private void giveBack(String cluster, Line line, Turn turn) {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      var since = line.held.remove(turn);
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
      serve(now, calls);
    }
    call(calls);
  }

  /** It wants no turn any more; one that it was called for goes to the next. */
  public void leave(String cluster, K who) {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      var line = lines.get(cluster);
      if (line == null) {
        return;
      }
      line.waiting.remove(who);
      if (line.called.remove(who) != null) {
        taken--;
      }
      serve(nanoTime.getAsLong(), calls);
    }
    call(calls);
  }

  private void call(List<Runnable> calls) {
    calls.forEach(Runnable::run);
    if (!calls.isEmpty()) {
      // For those that do not come, also when nothing else happens.
      CompletableFuture.delayedExecutor(CALL_HOLDS, TimeUnit.NANOSECONDS).execute(this::review);
    }
  }

  private void review() {
    var calls = new ArrayList<Runnable>();
    synchronized (this) {
      serve(nanoTime.getAsLong(), calls);
    }
    call(calls);
  }

  /** Calls as many as there are turns for. */
  private void serve(long now, List<Runnable> calls) {
    for (var line : lines.values()) {
      var before = line.called.size();
      line.called.values().removeIf(since -> now - since >= CALL_HOLDS);
      taken -= before - line.called.size();
    }
    lines.values().removeIf(Line::isIdle);
    for (var next = next(now); next != null; next = next(now)) {
      var line = Objects.requireNonNull(lines.remove(next));
      lines.putLast(next, line);
      var first = line.waiting.pollFirstEntry();
      line.called.put(first.getKey(), now);
      taken++;
      calls.add(first.getValue());
    }
  }

  private @Nullable String next(long now) {
    if (taken >= limits.total()) {
      return null;
    }
    for (var entry : lines.entrySet()) {
      var line = entry.getValue();
      if (!line.waiting.isEmpty()
          && limits.allow(line.size(), taken, lines.size(), !isSlow(entry.getKey(), line, now))) {
        return entry.getKey();
      }
    }
    return null;
  }

  private boolean isSlow(String cluster, Line line, long now) {
    var seen = slow.get(cluster);
    return (seen != null && now - seen < SLOW_FOR)
        || line.held.values().stream().anyMatch(since -> now - since >= SLOW);
  }

  /** Clusters that have or want turns. */
  synchronized int lines() {
    return lines.size();
  }
}

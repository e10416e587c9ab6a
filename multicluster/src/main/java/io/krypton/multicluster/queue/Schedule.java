package io.krypton.multicluster.queue;

import io.krypton.multicluster.queue.Entry.State;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SequencedSet;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;

/**
 * Which key is next. Not thread-safe, and without a clock of its own: {@link WorkQueue} adds the
 * lock and the time. The invariants are in DESIGN.md.
 */
final class Schedule {
  private final Limits limits;
  private final Map<String, Lane> lanes = new HashMap<>();

  /** The lanes in which a key is due, the one whose turn it is first. */
  private final SequencedSet<Lane> rotation = new LinkedHashSet<>();

  /** Those that run or wait; what each may have depends on how many they are. */
  private final Set<Lane> busy = new HashSet<>();

  private final TreeSet<Entry> delayed = new TreeSet<>(Entry::earliestFirst);
  private int running;
  private long sequence;

  Schedule(Limits limits) {
    this.limits = limits;
  }

  /** Asks for the key at a time; the earliest of all requests since its last run counts. */
  void want(WorkKey key, long due, long now) {
    promote(now);
    var lane = lanes.computeIfAbsent(key.cluster(), Lane::new);
    var entry = lane.entries.get(key);
    if (entry == null) {
      entry = new Entry(key, lane, sequence++, due);
      lane.entries.put(key, entry);
      place(entry, now);
      return;
    }
    switch (entry.state) {
      case READY -> {}
      case DELAYED -> {
        if (due - entry.due < 0) {
          delayed.remove(entry);
          entry.due = due;
          place(entry, now);
        }
      }
      case RUNNING -> wantAgain(entry, due);
    }
  }

  /**
   * Asks for the key as soon as it is not in its back-off: a run that fails anyway is not repeated
   * for this, because it is tried again after its pause.
   */
  void wantPatiently(WorkKey key, long now) {
    var entry = find(key);
    if (entry != null && entry.state == State.RUNNING) {
      entry.wantedPatiently = true;
    } else if (entry == null || !entry.isInBackoff()) {
      want(key, now, now);
    }
  }

  private static void wantAgain(Entry entry, long due) {
    entry.due = entry.wantedAgain && entry.due - due <= 0 ? entry.due : due;
    entry.wantedAgain = true;
  }

  private void place(Entry entry, long now) {
    if (entry.due - now > 0) {
      entry.state = State.DELAYED;
      delayed.add(entry);
    } else {
      entry.state = State.READY;
      entry.lane.ready.add(entry);
      review(entry.lane);
    }
  }

  /** Hands out the next key, if there is one and the limits allow it. */
  Optional<Handout> next(long now) {
    promote(now);
    var lane = nextLane();
    if (lane == null) {
      return Optional.empty();
    }
    rotation.remove(lane); // To the end, if it has more.
    var entry = lane.ready.removeFirst();
    entry.state = State.RUNNING;
    entry.wantedAgain = false;
    entry.wantedPatiently = false;
    entry.disowned = false;
    entry.postponed = false;
    lane.running++;
    running++;
    review(lane);
    return Optional.of(new Handout(entry.key, entry.failures, Duration.ofNanos(now - entry.due)));
  }

  /** Passes over lanes that have their share; they run something, so there are only a few. */
  private @Nullable Lane nextLane() {
    if (running >= limits.total()) {
      return null;
    }
    for (var lane : rotation) {
      if (limits.allow(lane.running, running, busy.size())) {
        return lane;
      }
    }
    return null;
  }

  /** When the next delayed key becomes due. */
  OptionalLong nextDue() {
    return delayed.isEmpty() ? OptionalLong.empty() : OptionalLong.of(delayed.first().due);
  }

  private void promote(long now) {
    while (!delayed.isEmpty() && delayed.first().due - now <= 0) {
      place(delayed.removeFirst(), now);
    }
  }

  /** Ends a run that went well. */
  void done(WorkKey key, long now) {
    var entry = running(key);
    entry.failures = 0;
    settle(entry, now);
  }

  /** Ends a run that went well and asks for another one. */
  void requeue(WorkKey key, long due, long now) {
    var entry = running(key);
    entry.failures = 0;
    if (!entry.disowned) {
      wantAgain(entry, due);
    }
    settle(entry, now);
  }

  /**
   * Ends a run that had nothing to try because something else must end first, and asks for another
   * one: past failures still count, but the pause is no back-off.
   */
  void postpone(WorkKey key, long due, long now) {
    var entry = running(key);
    entry.postponed = true;
    if (!entry.disowned) {
      wantAgain(entry, due);
    }
    settle(entry, now);
  }

  /** Ends a run that counts neither as success nor as failure, and asks for another one at once. */
  void putBack(WorkKey key, long now) {
    var entry = running(key);
    if (!entry.disowned) {
      wantAgain(entry, now);
    }
    settle(entry, now);
  }

  /** Ends a run that failed; the key comes back after the pause for its number of failures. */
  NextTry retry(WorkKey key, IntFunction<Duration> pause, long now) {
    var entry = running(key);
    var failures = entry.disowned ? 1 : ++entry.failures;
    var retry = new NextTry(failures, pause.apply(failures));
    if (!entry.disowned) {
      wantAgain(entry, now + retry.delay().toNanos());
      entry.wantedPatiently = false;
    }
    settle(entry, now);
    return retry;
  }

  private void settle(Entry entry, long now) {
    promote(now);
    running--;
    entry.lane.running--;
    if (entry.wantedPatiently) {
      entry.wantedPatiently = false;
      wantAgain(entry, now);
    }
    if (entry.wantedAgain) {
      // The time it was running itself is not time it had to wait.
      entry.due = entry.due - now < 0 ? now : entry.due;
      place(entry, now);
    } else {
      entry.lane.entries.remove(entry.key);
    }
    review(entry.lane);
  }

  private Entry running(WorkKey key) {
    var entry = find(key);
    if (entry == null || entry.state != State.RUNNING) {
      throw new IllegalStateException("not handed out, or ended twice: " + key);
    }
    return entry;
  }

  /** The next failure of the key counts as its first. */
  void resetBackoff(WorkKey key) {
    var entry = find(key);
    if (entry != null) {
      entry.failures = 0;
    }
  }

  /** Nobody wants the key any more; its present run goes on, but is not repeated. */
  void forget(WorkKey key) {
    var entry = find(key);
    if (entry != null) {
      abandon(entry);
      review(entry.lane);
    }
  }

  /** Forgets all keys of a cluster, and that it is parked. */
  void drop(String cluster) {
    var lane = lanes.get(cluster);
    if (lane != null) {
      new ArrayList<>(lane.entries.values()).forEach(this::abandon);
      lane.parked = false;
      review(lane);
    }
  }

  private void abandon(Entry entry) {
    entry.failures = 0;
    if (entry.state == State.RUNNING) {
      entry.wantedAgain = false;
      entry.wantedPatiently = false;
      entry.disowned = true;
      return;
    }
    delayed.remove(entry);
    entry.lane.ready.remove(entry);
    entry.lane.entries.remove(entry.key);
  }

  void park(String cluster) {
    var lane = lanes.computeIfAbsent(cluster, Lane::new);
    lane.parked = true;
    review(lane);
  }

  /** Opens the cluster again; keys that wait for their back-off are due at once. */
  void unpark(String cluster, long now) {
    var lane = lanes.get(cluster);
    if (lane == null || !lane.parked) {
      return;
    }
    promote(now);
    lane.parked = false;
    for (var entry : lane.entries.values()) {
      if (entry.state == State.DELAYED && entry.failures > 0) {
        delayed.remove(entry);
        entry.due = now;
        place(entry, now);
      }
    }
    review(lane);
  }

  /** Puts the lane into the rotation or takes it out, and forgets it when nothing is left. */
  private void review(Lane lane) {
    if (lane.isWaiting()) {
      rotation.add(lane);
    } else {
      rotation.remove(lane);
    }
    if (lane.isBusy()) {
      busy.add(lane);
    } else {
      busy.remove(lane);
    }
    if (lane.isForgettable()) {
      lanes.remove(lane.cluster);
    }
  }

  int running() {
    return running;
  }

  int running(String cluster) {
    var lane = lanes.get(cluster);
    return lane == null ? 0 : lane.running;
  }

  /** Looks at each cluster, not at each key: in a lane the first ready key is the oldest. */
  QueueState state(long now) {
    promote(now);
    var ready = 0;
    var parked = 0;
    var oldest = 0L;
    for (var lane : lanes.values()) {
      if (lane.parked) {
        parked += lane.ready.size();
      } else if (!lane.ready.isEmpty()) {
        ready += lane.ready.size();
        oldest = Math.max(oldest, now - lane.ready.getFirst().due);
      }
    }
    return new QueueState(ready, parked, delayed.size(), running, Duration.ofNanos(oldest));
  }

  private @Nullable Entry find(WorkKey key) {
    var lane = lanes.get(key.cluster());
    return lane == null ? null : lane.entries.get(key);
  }
}

package io.krypton.multicluster.queue;

import io.krypton.multicluster.queue.ClusterQueue.QueueEntry;
import io.krypton.multicluster.queue.ClusterQueue.QueueEntry.State;
import io.krypton.multicluster.queue.WorkQueue.QueueState;
import io.krypton.multicluster.queue.WorkQueue.RetryInfo;
import io.krypton.multicluster.queue.WorkQueue.WorkItem;
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
final class FairScheduler {
  private final ConcurrencyLimits concurrencyLimits;
  private final Map<String, ClusterQueue> queues = new HashMap<>();

  /** The lanes in which a key is due, the one whose turn it is first. */
  private final SequencedSet<ClusterQueue> rotation = new LinkedHashSet<>();

  /** Those that run or wait; what each may have depends on how many they are. */
  private final Set<ClusterQueue> busy = new HashSet<>();

  private final TreeSet<QueueEntry> delayed = new TreeSet<>(QueueEntry::earliestFirst);
  private int running;
  private long sequence;

  FairScheduler(ConcurrencyLimits concurrencyLimits) {
    this.concurrencyLimits = concurrencyLimits;
  }

  /** Asks for the key at a time; the earliest of all requests since its last run counts. */
  void add(WorkKey key, long due, long now) {
    promote(now);
    var clusterQueue = queues.computeIfAbsent(key.cluster(), ClusterQueue::new);
    var queueEntry = clusterQueue.entries.get(key);
    if (queueEntry == null) {
      queueEntry = new QueueEntry(key, clusterQueue, sequence++, due);
      clusterQueue.entries.put(key, queueEntry);
      place(queueEntry, now);
      return;
    }
    switch (queueEntry.state) {
      case READY -> {}
      case DELAYED -> {
        if (due - queueEntry.due < 0) {
          delayed.remove(queueEntry);
          queueEntry.due = due;
          place(queueEntry, now);
        }
      }
      case RUNNING -> markDirty(queueEntry, due);
    }
  }

  /**
   * Asks for the key as soon as it is not in its back-off: a run that fails anyway is not repeated
   * for this, because it is tried again after its pause.
   */
  void addAfterBackoff(WorkKey key, long now) {
    var queueEntry = find(key);
    if (queueEntry != null && queueEntry.state == State.RUNNING) {
      queueEntry.dirtyAfterBackoff = true;
    } else if (queueEntry == null || !queueEntry.isInBackoff()) {
      add(key, now, now);
    }
  }

  private static void markDirty(QueueEntry queueEntry, long due) {
    queueEntry.due = queueEntry.dirty && queueEntry.due - due <= 0 ? queueEntry.due : due;
    queueEntry.dirty = true;
  }

  private void place(QueueEntry queueEntry, long now) {
    if (queueEntry.due - now > 0) {
      queueEntry.state = State.DELAYED;
      delayed.add(queueEntry);
    } else {
      queueEntry.state = State.READY;
      queueEntry.queue.ready.add(queueEntry);
      review(queueEntry.queue);
    }
  }

  /** Hands out the next key, if there is one and the limits allow it. */
  Optional<WorkItem> next(long now) {
    promote(now);
    var clusterQueue = nextQueue();
    if (clusterQueue == null) {
      return Optional.empty();
    }
    rotation.remove(clusterQueue); // To the end, if it has more.
    var queueEntry = clusterQueue.ready.removeFirst();
    queueEntry.state = State.RUNNING;
    queueEntry.dirty = false;
    queueEntry.dirtyAfterBackoff = false;
    queueEntry.discarded = false;
    queueEntry.postponed = false;
    clusterQueue.running++;
    running++;
    review(clusterQueue);
    return Optional.of(
        new WorkItem(queueEntry.key, queueEntry.failures, Duration.ofNanos(now - queueEntry.due)));
  }

  /** Passes over lanes that have their share; they run something, so there are only a few. */
  private @Nullable ClusterQueue nextQueue() {
    if (running >= concurrencyLimits.total()) {
      return null;
    }
    for (var clusterQueue : rotation) {
      if (concurrencyLimits.allow(clusterQueue.running, running, busy.size())) {
        return clusterQueue;
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
    var queueEntry = running(key);
    queueEntry.failures = 0;
    settle(queueEntry, now);
  }

  /** Ends a run that went well and asks for another one. */
  void requeue(WorkKey key, long due, long now) {
    var queueEntry = running(key);
    queueEntry.failures = 0;
    if (!queueEntry.discarded) {
      markDirty(queueEntry, due);
    }
    settle(queueEntry, now);
  }

  /**
   * Ends a run that had nothing to try because something else must end first, and asks for another
   * one: past failures still count, but the pause is no back-off.
   */
  void postpone(WorkKey key, long due, long now) {
    var queueEntry = running(key);
    queueEntry.postponed = true;
    if (!queueEntry.discarded) {
      markDirty(queueEntry, due);
    }
    settle(queueEntry, now);
  }

  /** Ends a run that counts neither as success nor as failure, and asks for another one at once. */
  void putBack(WorkKey key, long now) {
    var queueEntry = running(key);
    if (!queueEntry.discarded) {
      markDirty(queueEntry, now);
    }
    settle(queueEntry, now);
  }

  /** Ends a run that failed; the key comes back after the pause for its number of failures. */
  RetryInfo retry(WorkKey key, IntFunction<Duration> pause, long now) {
    var queueEntry = running(key);
    var failures = queueEntry.discarded ? 1 : ++queueEntry.failures;
    var retry = new RetryInfo(failures, pause.apply(failures));
    if (!queueEntry.discarded) {
      markDirty(queueEntry, now + retry.delay().toNanos());
      queueEntry.dirtyAfterBackoff = false;
    }
    settle(queueEntry, now);
    return retry;
  }

  private void settle(QueueEntry queueEntry, long now) {
    promote(now);
    running--;
    queueEntry.queue.running--;
    if (queueEntry.dirtyAfterBackoff) {
      queueEntry.dirtyAfterBackoff = false;
      markDirty(queueEntry, now);
    }
    if (queueEntry.dirty) {
      // The time it was running itself is not time it had to wait.
      queueEntry.due = queueEntry.due - now < 0 ? now : queueEntry.due;
      place(queueEntry, now);
    } else {
      queueEntry.queue.entries.remove(queueEntry.key);
    }
    review(queueEntry.queue);
  }

  private QueueEntry running(WorkKey key) {
    var queueEntry = find(key);
    if (queueEntry == null || queueEntry.state != State.RUNNING) {
      throw new IllegalStateException("not handed out, or ended twice: " + key);
    }
    return queueEntry;
  }

  /** The next failure of the key counts as its first. */
  void resetBackoff(WorkKey key) {
    var queueEntry = find(key);
    if (queueEntry != null) {
      queueEntry.failures = 0;
    }
  }

  /** Nobody wants the key any more; its present run goes on, but is not repeated. */
  void forget(WorkKey key) {
    var queueEntry = find(key);
    if (queueEntry != null) {
      abandon(queueEntry);
      review(queueEntry.queue);
    }
  }

  /** Forgets all keys of a cluster, and that it is parked. */
  void drop(String cluster) {
    var clusterQueue = queues.get(cluster);
    if (clusterQueue != null) {
      new ArrayList<>(clusterQueue.entries.values()).forEach(this::abandon);
      clusterQueue.parked = false;
      review(clusterQueue);
    }
  }

  private void abandon(QueueEntry queueEntry) {
    queueEntry.failures = 0;
    if (queueEntry.state == State.RUNNING) {
      queueEntry.dirty = false;
      queueEntry.dirtyAfterBackoff = false;
      queueEntry.discarded = true;
      return;
    }
    delayed.remove(queueEntry);
    queueEntry.queue.ready.remove(queueEntry);
    queueEntry.queue.entries.remove(queueEntry.key);
  }

  void park(String cluster) {
    var clusterQueue = queues.computeIfAbsent(cluster, ClusterQueue::new);
    clusterQueue.parked = true;
    review(clusterQueue);
  }

  /** Opens the cluster again; keys that wait for their back-off are due at once. */
  void unpark(String cluster, long now) {
    var clusterQueue = queues.get(cluster);
    if (clusterQueue == null || !clusterQueue.parked) {
      return;
    }
    promote(now);
    clusterQueue.parked = false;
    for (var queueEntry : clusterQueue.entries.values()) {
      if (queueEntry.state == State.DELAYED && queueEntry.failures > 0) {
        delayed.remove(queueEntry);
        queueEntry.due = now;
        place(queueEntry, now);
      }
    }
    review(clusterQueue);
  }

  /** Puts the lane into the rotation or takes it out, and forgets it when nothing is left. */
  private void review(ClusterQueue clusterQueue) {
    if (clusterQueue.isWaiting()) {
      rotation.add(clusterQueue);
    } else {
      rotation.remove(clusterQueue);
    }
    if (clusterQueue.isBusy()) {
      busy.add(clusterQueue);
    } else {
      busy.remove(clusterQueue);
    }
    if (clusterQueue.isForgettable()) {
      queues.remove(clusterQueue.cluster);
    }
  }

  int running() {
    return running;
  }

  int running(String cluster) {
    var clusterQueue = queues.get(cluster);
    return clusterQueue == null ? 0 : clusterQueue.running;
  }

  /** Looks at each cluster, not at each key: in a lane the first ready key is the oldest. */
  QueueState state(long now) {
    promote(now);
    var ready = 0;
    var parked = 0;
    var oldest = 0L;
    for (var clusterQueue : queues.values()) {
      if (clusterQueue.parked) {
        parked += clusterQueue.ready.size();
      } else if (!clusterQueue.ready.isEmpty()) {
        ready += clusterQueue.ready.size();
        oldest = Math.max(oldest, now - clusterQueue.ready.getFirst().due);
      }
    }
    return new QueueState(ready, parked, delayed.size(), running, Duration.ofNanos(oldest));
  }

  private @Nullable QueueEntry find(WorkKey key) {
    var clusterQueue = queues.get(key.cluster());
    return clusterQueue == null ? null : clusterQueue.entries.get(key);
  }
}

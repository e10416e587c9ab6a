// SPDX-License-Identifier: Apache-2.0
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
 * Decides which key is next. Not thread-safe and without a clock: {@link WorkQueue} adds both. The
 * invariants are in DESIGN.md.
 */
final class FairScheduler {
  private final ConcurrencyLimits limits;
  private final Map<String, ClusterQueue> queues = new HashMap<>();

  /** The queues with a ready key; the next one is first. */
  private final SequencedSet<ClusterQueue> rotation = new LinkedHashSet<>();

  /** The queues with running or ready keys; the share of each depends on their number. */
  private final Set<ClusterQueue> busy = new HashSet<>();

  private final TreeSet<QueueEntry> delayed = new TreeSet<>(QueueEntry::earliestFirst);
  private int running;
  private long sequence;

  FairScheduler(ConcurrencyLimits limits) {
    this.limits = limits;
  }

  /** Enqueues the key at a time; the earliest request since its last run wins. */
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
   * Enqueues the key unless it is in back-off: a failed run is retried after its back-off anyway.
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

  /** Skips queues that have their share; they run something, so there are only a few. */
  private @Nullable ClusterQueue nextQueue() {
    if (running >= limits.total()) {
      return null;
    }
    for (var clusterQueue : rotation) {
      if (limits.allow(clusterQueue.running, running, busy.size())) {
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

  /** Ends a successful run. */
  void done(WorkKey key, long now) {
    var queueEntry = running(key);
    queueEntry.failures = 0;
    settle(queueEntry, now);
  }

  /** Ends a successful run and requeues the key. */
  void requeue(WorkKey key, long due, long now) {
    var queueEntry = running(key);
    queueEntry.failures = 0;
    if (!queueEntry.discarded) {
      markDirty(queueEntry, due);
    }
    settle(queueEntry, now);
  }

  /**
   * Ends a run that tried nothing because something else must end first, and requeues the key: the
   * failure count is kept, but the delay is no back-off.
   */
  void postpone(WorkKey key, long due, long now) {
    var queueEntry = running(key);
    queueEntry.postponed = true;
    if (!queueEntry.discarded) {
      markDirty(queueEntry, due);
    }
    settle(queueEntry, now);
  }

  /** Ends a run that is neither a success nor a failure, and requeues the key at once. */
  void putBack(WorkKey key, long now) {
    var queueEntry = running(key);
    if (!queueEntry.discarded) {
      markDirty(queueEntry, now);
    }
    settle(queueEntry, now);
  }

  /** Ends a failed run and requeues the key after the back-off for its failure count. */
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
      // Its own run does not count as waiting time.
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
      throw new IllegalStateException("key is not running: " + key);
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

  /** Removes the key; a current run continues, but is not requeued. */
  void forget(WorkKey key) {
    var queueEntry = find(key);
    if (queueEntry != null) {
      abandon(queueEntry);
      review(queueEntry.queue);
    }
  }

  /** Removes all keys of a cluster and unparks it. */
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

  /** Unparks the cluster; keys in back-off are due at once. */
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

  /** Updates the rotation and the busy set, and removes an empty queue. */
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

  /** O(clusters), not O(keys): in each queue the first ready key is the oldest. */
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

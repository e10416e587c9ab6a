// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/** The keys of one cluster. */
final class ClusterQueue {
  final String cluster;
  final Map<WorkKey, QueueEntry> entries = new HashMap<>();
  final SequencedSet<QueueEntry> ready = new LinkedHashSet<>();
  int running;
  boolean parked;

  ClusterQueue(String cluster) {
    this.cluster = cluster;
  }

  /** Whether a key is ready and the cluster not parked. */
  boolean isWaiting() {
    return !parked && !ready.isEmpty();
  }

  boolean isBusy() {
    return running > 0 || isWaiting();
  }

  boolean isForgettable() {
    return entries.isEmpty() && !parked;
  }

  /** A key that is in the queue, and what is known about it; owned by a {@link FairScheduler}. */
  static final class QueueEntry {
    enum State {
      DELAYED,
      READY,
      RUNNING
    }

    final WorkKey key;
    final ClusterQueue queue;
    final long sequence;
    State state = State.DELAYED;

    /** When it becomes or became due; while running, when it is requeued. */
    long due;

    /** The key was added while it was running. */
    boolean dirty;

    boolean dirtyAfterBackoff;

    /** The result of the current run is ignored: the key was dropped or forgotten meanwhile. */
    boolean discarded;

    int failures;

    /** Its delay is no back-off: the last run tried nothing. */
    boolean postponed;

    QueueEntry(WorkKey key, ClusterQueue clusterQueue, long sequence, long due) {
      this.key = key;
      this.queue = clusterQueue;
      this.sequence = sequence;
      this.due = due;
    }

    boolean isInBackoff() {
      return state == State.DELAYED && failures > 0 && !postponed;
    }

    /** Order of the delayed entries; differences, because the clock's origin is arbitrary. */
    static int earliestFirst(QueueEntry a, QueueEntry b) {
      var byDue = Long.compare(a.due - b.due, 0);
      return byDue != 0 ? byDue : Long.compare(a.sequence, b.sequence);
    }
  }
}

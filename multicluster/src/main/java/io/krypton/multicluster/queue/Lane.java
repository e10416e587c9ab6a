package io.krypton.multicluster.queue;

import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.SequencedSet;

/** The keys of one cluster. */
final class Lane {
  final String cluster;
  final Map<WorkKey, Entry> entries = new HashMap<>();
  final SequencedSet<Entry> ready = new LinkedHashSet<>();
  int running;
  boolean parked;

  Lane(String cluster) {
    this.cluster = cluster;
  }

  /** Something is due, so that it would take a worker. */
  boolean isWaiting() {
    return !parked && !ready.isEmpty();
  }

  boolean isBusy() {
    return running > 0 || isWaiting();
  }

  boolean isForgettable() {
    return entries.isEmpty() && !parked;
  }
}

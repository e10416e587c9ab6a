// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.queue;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What a queue should know, kept in the plainest way: it scans everything for each question. */
final class FairSchedulerModel {
  final ConcurrencyLimits limits;
  final Map<WorkKey, Long> wanted = new HashMap<>();
  final Map<WorkKey, Integer> failures = new HashMap<>();
  final Set<WorkKey> running = new HashSet<>();
  final Set<WorkKey> disowned = new HashSet<>();
  final Set<String> parked = new HashSet<>();
  final Map<String, Integer> passedOver = new HashMap<>();

  FairSchedulerModel(ConcurrencyLimits concurrencyLimits) {
    this.limits = concurrencyLimits;
  }

  void want(WorkKey key, long due) {
    wanted.merge(key, due, (a, b) -> a - b <= 0 ? a : b);
  }

  boolean isEligible(WorkKey key, long now) {
    return running.size() < limits.total() && isItsTurnToCome(key, now);
  }

  private boolean isItsTurnToCome(WorkKey key, long now) {
    var due = wanted.get(key);
    return due != null
        && due - now <= 0
        && !running.contains(key)
        && !parked.contains(key.cluster())
        && limits.allow((int) running(key.cluster()), running.size(), busy(now));
  }

  private int busy(long now) {
    var busy = new HashSet<String>();
    running.forEach(key -> busy.add(key.cluster()));
    wanted.forEach(
        (key, due) -> {
          if (due - now <= 0 && !running.contains(key) && !parked.contains(key.cluster())) {
            busy.add(key.cluster());
          }
        });
    return busy.size();
  }

  private boolean waits(String cluster, long now) {
    return wanted.keySet().stream()
        .anyMatch(key -> key.cluster().equals(cluster) && isItsTurnToCome(key, now));
  }

  boolean anyEligible(long now) {
    return wanted.keySet().stream().anyMatch(key -> isEligible(key, now));
  }

  long running(String cluster) {
    return running.stream().filter(key -> key.cluster().equals(cluster)).count();
  }

  void handedOut(WorkKey key, Set<String> clusters) {
    wanted.remove(key);
    running.add(key);
    clusters.forEach(cluster -> passedOver.merge(cluster, 1, Integer::sum));
    passedOver.remove(key.cluster());
  }

  /** A cluster that could not have had a turn was not passed over. */
  void forgiveThoseThatDoNotWait(long now) {
    passedOver.keySet().removeIf(cluster -> !waits(cluster, now));
  }

  void ended(WorkKey key) {
    running.remove(key);
    disowned.remove(key);
  }

  void abandon(Predicate<WorkKey> which) {
    wanted.keySet().removeIf(which);
    failures.keySet().removeIf(which);
    running.stream().filter(which).forEach(disowned::add);
  }
}

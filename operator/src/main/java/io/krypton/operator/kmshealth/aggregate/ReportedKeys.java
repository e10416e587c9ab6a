// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static java.util.stream.Collectors.toUnmodifiableMap;

import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which plugins each expected node reports. A platform adds and removes plugins node by node, so a
 * node that differs from the others is in a rollout until nothing has changed for long enough.
 *
 * @param since for each node, since when it has reported each of its keys
 * @param changedAt when the keys of any node last changed; null before the first reconcile
 */
record ReportedKeys(Map<String, Map<KeyId, Duration>> since, @Nullable Duration changedAt) {
  static final ReportedKeys NONE = new ReportedKeys(Map.of(), null);

  ReportedKeys {
    since = Map.copyOf(since);
  }

  /** A node without a readable report keeps the keys that it had: silence removes no plugin. */
  ReportedKeys next(Collection<String> expected, Map<String, NodeReport> reports, Duration now) {
    var next = new HashMap<String, Map<KeyId, Duration>>();
    for (var node : expected) {
      var before = since.getOrDefault(node, Map.of());
      var report = reports.get(node);
      next.put(node, report == null || report.malformed() ? before : keys(report, before, now));
    }
    var changed = changedAt == null || !keysOf(next).equals(keysOf(since));
    return new ReportedKeys(next, changed ? now : changedAt);
  }

  private static Map<KeyId, Duration> keys(
      NodeReport report, Map<KeyId, Duration> before, Duration now) {
    return report.plugins().keySet().stream()
        .collect(toUnmodifiableMap(key -> key, key -> before.getOrDefault(key, now)));
  }

  private static Map<String, Set<KeyId>> keysOf(Map<String, Map<KeyId, Duration>> nodes) {
    return nodes.entrySet().stream()
        .collect(toUnmodifiableMap(Map.Entry::getKey, node -> node.getValue().keySet()));
  }

  SortedSet<KeyId> of(String node) {
    return new TreeSet<>(since.getOrDefault(node, Map.of()).keySet());
  }

  SortedSet<KeyId> all() {
    var all = new TreeSet<KeyId>();
    since.values().forEach(keys -> all.addAll(keys.keySet()));
    return all;
  }

  /**
   * Since when it is only this node that lacks the key, and nothing has moved; empty as long as
   * another node lacks it, too.
   */
  Optional<Duration> onlyMissingSince(String node, KeyId key) {
    if (changedAt == null || since.size() < 2 || of(node).contains(key)) {
      return Optional.empty();
    }
    var latest = changedAt;
    for (var other : since.entrySet()) {
      if (other.getKey().equals(node)) {
        continue;
      }
      var had = other.getValue().get(key);
      if (had == null) {
        return Optional.empty();
      }
      latest = HealthAggregator.latest(latest, had);
    }
    return Optional.of(latest);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportLocation;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When the report of a node was last observed to change, in each of its locations. A reporter that
 * was replaced by one that writes elsewhere leaves its entries behind, and nobody takes them back.
 */
record ReportLocationHistory(Map<String, Map<ReportLocation, Change>> nodes) {
  static final ReportLocationHistory NONE = new ReportLocationHistory(Map.of());

  /** Longer than a reporter waits until it writes the same again. */
  private static final Duration ABANDONED_AFTER = Duration.ofMinutes(20);

  ReportLocationHistory {
    nodes = Map.copyOf(nodes);
  }

  /**
   * The report in one location.
   *
   * @param at when it was first observed
   * @param abandoned whether it counts as left behind; it does so until it changes
   */
  record Change(String fingerprint, Duration at, boolean abandoned) {}

  /**
   * After another reconcile.
   *
   * @param beating the nodes that have a Lease
   */
  ReportLocationHistory next(Map<String, NodeReport> reports, Set<String> beating, Duration now) {
    var next = new HashMap<String, Map<ReportLocation, Change>>();
    reports.forEach(
        (node, report) -> {
          if (!report.locations().isEmpty()) {
            var before = nodes.getOrDefault(node, Map.of());
            next.put(node, changes(report, before, beating.contains(node), now));
          }
        });
    return new ReportLocationHistory(next);
  }

  private static Map<ReportLocation, Change> changes(
      NodeReport report, Map<ReportLocation, Change> before, boolean beats, Duration now) {
    var changes = new EnumMap<ReportLocation, Change>(ReportLocation.class);
    report
        .locations()
        .forEach((location, own) -> changes.put(location, change(own, before.get(location), now)));
    var next = new EnumMap<ReportLocation, Change>(ReportLocation.class);
    changes.forEach(
        (location, own) -> {
          var left = own.abandoned() || isAbandoned(location, report, changes, beats, now);
          next.put(location, new Change(own.fingerprint(), own.at(), left));
        });
    return next;
  }

  private static Change change(NodeReport own, @Nullable Change before, Duration now) {
    return before != null && before.fingerprint().equals(own.fingerprint())
        ? before
        : new Change(own.fingerprint(), now, false);
  }

  /** Unchanged and inactive, while another location of the node is active. */
  private static boolean isAbandoned(
      ReportLocation location,
      NodeReport report,
      Map<ReportLocation, Change> changes,
      boolean beats,
      Duration now) {
    return changes.keySet().stream()
        .allMatch(it -> it == location ^ isActive(it, report, changes, beats, now));
  }

  private static boolean isActive(
      ReportLocation location,
      NodeReport report,
      Map<ReportLocation, Change> changes,
      boolean beats,
      Duration now) {
    var change = changes.get(location);
    return (beats && report.at(location).lease().isPresent())
        || (change != null && now.minus(change.at()).compareTo(ABANDONED_AFTER) <= 0);
  }

  /** The reports without what was left behind. */
  SortedMap<String, NodeReport> live(SortedMap<String, NodeReport> reports) {
    var live = new TreeMap<>(reports);
    nodes.forEach(
        (node, changes) ->
            live.computeIfPresent(
                node,
                (name, report) ->
                    report.without(
                        location -> {
                          var change = changes.get(location);
                          return change != null && change.abandoned();
                        })));
    return live;
  }
}

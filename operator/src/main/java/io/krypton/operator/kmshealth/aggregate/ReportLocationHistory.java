package io.krypton.operator.kmshealth.aggregate;

import io.krypton.operator.kmshealth.input.ParsedNodeReport;
import io.krypton.operator.kmshealth.input.ParsedNodeReport.Location;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * When what a node reports last changed before our eyes, in each place where it reports. A reporter
 * that was replaced by one that writes elsewhere leaves its entries behind, and nobody takes them
 * back.
 */
record ReportLocationHistory(Map<String, Map<Location, Change>> nodes) {
  static final ReportLocationHistory NONE = new ReportLocationHistory(Map.of());

  /** Longer than a reporter waits until it writes the same again. */
  private static final Duration ABANDONED_AFTER = Duration.ofMinutes(20);

  ReportLocationHistory {
    nodes = Map.copyOf(nodes);
  }

  /**
   * What is said in one place.
   *
   * @param at when it was first seen
   * @param abandoned whether it counts as left behind; it does so until it changes
   */
  record Change(String evidence, Duration at, boolean abandoned) {}

  /**
   * After another look.
   *
   * @param beating the nodes that have a Lease
   */
  ReportLocationHistory next(
      Map<String, ParsedNodeReport> reports, Set<String> beating, Duration now) {
    var next = new HashMap<String, Map<Location, Change>>();
    reports.forEach(
        (node, report) -> {
          if (!report.locations().isEmpty()) {
            var before = nodes.getOrDefault(node, Map.of());
            next.put(node, changes(report, before, beating.contains(node), now));
          }
        });
    return new ReportLocationHistory(next);
  }

  private static Map<Location, Change> changes(
      ParsedNodeReport report, Map<Location, Change> before, boolean beats, Duration now) {
    var changes = new EnumMap<Location, Change>(Location.class);
    report
        .locations()
        .forEach((location, own) -> changes.put(location, change(own, before.get(location), now)));
    var judged = new EnumMap<Location, Change>(Location.class);
    changes.forEach(
        (location, own) -> {
          var left = own.abandoned() || isAbandoned(location, report, changes, beats, now);
          judged.put(location, new Change(own.evidence(), own.at(), left));
        });
    return judged;
  }

  private static Change change(ParsedNodeReport own, @Nullable Change before, Duration now) {
    return before != null && before.evidence().equals(own.fingerprint())
        ? before
        : new Change(own.fingerprint(), now, false);
  }

  /** What stands still while its reporter does not speak, and another one does. */
  private static boolean isAbandoned(
      Location location,
      ParsedNodeReport report,
      Map<Location, Change> changes,
      boolean beats,
      Duration now) {
    return changes.keySet().stream()
        .allMatch(it -> it == location ^ isActive(it, report, changes, beats, now));
  }

  private static boolean isActive(
      Location location,
      ParsedNodeReport report,
      Map<Location, Change> changes,
      boolean beats,
      Duration now) {
    var change = changes.get(location);
    return (beats && report.at(location).lease().isPresent())
        || (change != null && now.minus(change.at()).compareTo(ABANDONED_AFTER) <= 0);
  }

  /** The reports without what was left behind. */
  SortedMap<String, ParsedNodeReport> live(SortedMap<String, ParsedNodeReport> reports) {
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

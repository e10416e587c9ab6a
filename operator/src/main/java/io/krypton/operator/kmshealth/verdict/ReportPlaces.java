package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.report.NodeReport;
import io.krypton.operator.kmshealth.report.Place;
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
record ReportPlaces(Map<String, Map<Place, Change>> nodes) {
  static final ReportPlaces NONE = new ReportPlaces(Map.of());

  /** Longer than a reporter waits until it writes the same again. */
  private static final Duration LEFT_BEHIND = Duration.ofMinutes(20);

  ReportPlaces {
    nodes = Map.copyOf(nodes);
  }

  /**
   * What is said in one place.
   *
   * @param at when it was first seen
   * @param left whether it counts as left behind; it does so until it changes
   */
  record Change(String evidence, Duration at, boolean left) {}

  /**
   * After another look.
   *
   * @param beating the nodes that have a Lease
   */
  ReportPlaces next(Map<String, NodeReport> reports, Set<String> beating, Duration now) {
    var next = new HashMap<String, Map<Place, Change>>();
    reports.forEach(
        (node, report) -> {
          if (!report.places().isEmpty()) {
            var before = nodes.getOrDefault(node, Map.of());
            next.put(node, changes(report, before, beating.contains(node), now));
          }
        });
    return new ReportPlaces(next);
  }

  private static Map<Place, Change> changes(
      NodeReport report, Map<Place, Change> before, boolean beats, Duration now) {
    var changes = new EnumMap<Place, Change>(Place.class);
    report
        .places()
        .forEach((place, own) -> changes.put(place, change(own, before.get(place), now)));
    var judged = new EnumMap<Place, Change>(Place.class);
    changes.forEach(
        (place, own) -> {
          var left = own.left() || isLeft(place, report, changes, beats, now);
          judged.put(place, new Change(own.evidence(), own.at(), left));
        });
    return judged;
  }

  private static Change change(NodeReport own, @Nullable Change before, Duration now) {
    return before != null && before.evidence().equals(own.evidence())
        ? before
        : new Change(own.evidence(), now, false);
  }

  /** What stands still while its reporter does not speak, and another one does. */
  private static boolean isLeft(
      Place place, NodeReport report, Map<Place, Change> changes, boolean beats, Duration now) {
    return changes.keySet().stream()
        .allMatch(it -> it == place ^ speaks(it, report, changes, beats, now));
  }

  private static boolean speaks(
      Place place, NodeReport report, Map<Place, Change> changes, boolean beats, Duration now) {
    var change = changes.get(place);
    return (beats && report.at(place).lease().isPresent())
        || (change != null && now.minus(change.at()).compareTo(LEFT_BEHIND) <= 0);
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
                        place -> {
                          var change = changes.get(place);
                          return change != null && change.left();
                        })));
    return live;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.cli.fleet.ClusterSummary.PhaseCounts;
import io.krypton.cli.fleet.FleetReader.Fleet;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Column;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Terminal.TextStyle;
import io.krypton.cli.view.View;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fleet as tables and documents; pure. */
final class FleetViews {
  private static final List<Column> CLUSTERS =
      List.of(
          Column.of("NAME"),
          Column.of("STATE"),
          Column.of("VERSION"),
          Column.of("TENANTS"),
          Column.of("KMS"),
          Column.of("AGE"),
          Column.wide("MESSAGE"));
  private static final List<Column> STATUS =
      Table.columns("CLUSTER", "STATE", "VERSION", "READY", "PENDING", "ERROR", "KMS", "MESSAGE");

  private static final int MAX_MESSAGE_LENGTH = 80;

  private FleetViews() {}

  static View clusters(Fleet fleet, Instant now) {
    var rows =
        fleet.clusters().stream()
            .map(
                cluster ->
                    new Row(
                        cluster.name(),
                        List.of(
                            Cell.of(cluster.name()),
                            Cell.state(cluster.state()),
                            Cell.of(cluster.version()),
                            readyOfAll(cluster.phases()),
                            Cell.state(cluster.kms().state()),
                            Cell.untracked(Age.of(cluster.since(), now)),
                            Cell.of(cluster.message()))))
            .toList();
    return new View(
        List.of(),
        new Table(CLUSTERS, rows),
        Map.of("clusters", documents(fleet)),
        names(fleet),
        fleet.notes());
  }

  static View status(String home, Fleet fleet, @Nullable PhaseCounts deployments) {
    var tenants = PhaseCounts.NONE;
    for (var cluster : fleet.clusters()) {
      var phases = cluster.phases();
      tenants = phases == null ? tenants : tenants.plus(phases);
    }
    var heading = new ArrayList<String>();
    heading.add("Home      " + home);
    heading.add("Clusters  " + tally(fleet, ClusterSummary::state));
    heading.add("Tenants   " + tenants.summary());
    if (deployments != null) {
      heading.add("KryptonDeployments  " + deployments.summary());
    }
    heading.add("KMS       " + tally(fleet, FleetViews::kmsState));
    heading.add("");
    var rows = fleet.clusters().stream().map(FleetViews::statusRow).toList();
    var document = new LinkedHashMap<String, Object>();
    document.put("home", home);
    document.put("clusters", documents(fleet));
    document.put("tenants", tenants.document());
    if (deployments != null) {
      document.put("kryptonDeployments", deployments.document());
    }
    return new View(heading, new Table(STATUS, rows), document, names(fleet), fleet.notes());
  }

  private static Row statusRow(ClusterSummary cluster) {
    var phases = cluster.phases();
    return new Row(
        cluster.name(),
        List.of(
            Cell.of(cluster.name()),
            Cell.state(cluster.state()),
            Cell.of(cluster.version()),
            Cell.of(phases == null ? "" : phases.ready()),
            Cell.of(phases == null ? "" : phases.pending()),
            phases == null
                ? Cell.of("")
                : new Cell(
                    "" + phases.error(), phases.error() > 0 ? TextStyle.BAD : TextStyle.PLAIN),
            Cell.state(cluster.kms().state()),
            Cell.of(truncated(message(cluster)))));
  }

  /** A glance has one line for each cluster; krypton clusters -o wide tells all of it. */
  private static String truncated(String message) {
    return message.length() <= MAX_MESSAGE_LENGTH
        ? message
        : message.substring(0, MAX_MESSAGE_LENGTH) + "…";
  }

  private static String message(ClusterSummary cluster) {
    return cluster.message().isEmpty() && cluster.kms().state().equals("Degraded")
        ? cluster.kms().message()
        : cluster.message();
  }

  private static Cell readyOfAll(@Nullable PhaseCounts phases) {
    if (phases == null) {
      return Cell.of("");
    }
    var textStyle = phases.error() > 0 ? TextStyle.BAD : TextStyle.PLAIN;
    return new Cell(phases.ready() + "/" + phases.total(), textStyle);
  }

  private static String kmsState(ClusterSummary cluster) {
    return cluster.kms().state().equals("-") ? "unknown" : cluster.kms().state();
  }

  /** {@code 3: 2 Engaged, 1 Unreachable}. */
  private static String tally(Fleet fleet, Function<ClusterSummary, String> word) {
    var counts =
        fleet.clusters().stream()
            .collect(Collectors.groupingBy(word, LinkedHashMap::new, Collectors.counting()));
    return fleet.clusters().isEmpty()
        ? "none"
        : fleet.clusters().size()
            + ": "
            + counts.entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey())
                .collect(Collectors.joining(", "));
  }

  private static List<Map<String, Object>> documents(Fleet fleet) {
    return fleet.clusters().stream().map(ClusterSummary::document).toList();
  }

  private static List<String> names(Fleet fleet) {
    return fleet.clusters().stream().map(cluster -> "cluster/" + cluster.name()).toList();
  }
}

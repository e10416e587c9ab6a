package io.krypton.cli.fleet;

import io.krypton.cli.fleet.FleetReader.Fleet;
import io.krypton.cli.view.Age;
import io.krypton.cli.view.Cell;
import io.krypton.cli.view.Look;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Column;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.Tone;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The fleet as tables and documents; pure. */
final class FleetLooks {
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

  private static final int GLANCE = 80;

  private FleetLooks() {}

  static Look clusters(Fleet fleet, Instant now) {
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
                            Cell.passing(Age.of(cluster.since(), now)),
                            Cell.of(cluster.message()))))
            .toList();
    return new Look(
        List.of(),
        new Table(CLUSTERS, rows),
        Map.of("clusters", documents(fleet)),
        names(fleet),
        fleet.notes());
  }

  static Look status(String home, Fleet fleet, @Nullable PhaseCounts deployments) {
    var tenants = PhaseCounts.NONE;
    for (var cluster : fleet.clusters()) {
      var phases = cluster.phases();
      tenants = phases == null ? tenants : tenants.plus(phases);
    }
    var heading = new ArrayList<String>();
    heading.add("Home      " + home);
    heading.add("Clusters  " + tally(fleet, ClusterView::state));
    heading.add("Tenants   " + tenants.words());
    if (deployments != null) {
      heading.add("KryptonDeployments  " + deployments.words());
    }
    heading.add("KMS       " + tally(fleet, FleetLooks::kmsWord));
    heading.add("");
    var rows = fleet.clusters().stream().map(FleetLooks::statusRow).toList();
    var document = new LinkedHashMap<String, Object>();
    document.put("home", home);
    document.put("clusters", documents(fleet));
    document.put("tenants", tenants.document());
    if (deployments != null) {
      document.put("kryptonDeployments", deployments.document());
    }
    return new Look(heading, new Table(STATUS, rows), document, names(fleet), fleet.notes());
  }

  private static Row statusRow(ClusterView cluster) {
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
                : new Cell("" + phases.error(), phases.error() > 0 ? Tone.BAD : Tone.PLAIN),
            Cell.state(cluster.kms().state()),
            Cell.of(shortened(message(cluster)))));
  }

  /** A glance has one line for each cluster; krypton clusters -o wide tells all of it. */
  private static String shortened(String message) {
    return message.length() <= GLANCE ? message : message.substring(0, GLANCE) + "…";
  }

  private static String message(ClusterView cluster) {
    return cluster.message().isEmpty() && cluster.kms().state().equals("Degraded")
        ? cluster.kms().message()
        : cluster.message();
  }

  private static Cell readyOfAll(@Nullable PhaseCounts phases) {
    if (phases == null) {
      return Cell.of("");
    }
    var tone = phases.error() > 0 ? Tone.BAD : Tone.PLAIN;
    return new Cell(phases.ready() + "/" + phases.total(), tone);
  }

  private static String kmsWord(ClusterView cluster) {
    return cluster.kms().state().equals("-") ? "unknown" : cluster.kms().state();
  }

  /** {@code 3: 2 Engaged, 1 Unreachable}. */
  private static String tally(Fleet fleet, Function<ClusterView, String> word) {
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
    return fleet.clusters().stream().map(ClusterView::document).toList();
  }

  private static List<String> names(Fleet fleet) {
    return fleet.clusters().stream().map(cluster -> "cluster/" + cluster.name()).toList();
  }
}

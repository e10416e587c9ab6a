// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.KmsHealth;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.cli.view.Table;
import io.krypton.cli.view.Table.Cell;
import io.krypton.cli.view.Table.Column;
import io.krypton.cli.view.Table.Row;
import io.krypton.cli.view.View;
import io.krypton.operator.kmshealth.input.ReportParser;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The health of KMS plugins as tables and documents; pure. */
final class KmsViews {
  private static final List<Column> FLEET =
      List.of(
          Column.of("CLUSTER"),
          Column.of("KMS"),
          Column.of("NODES"),
          Column.of("KEY"),
          Column.of("CONVERGED"),
          Column.of("REASON"),
          Column.wide("MESSAGE"));
  private static final List<Column> NODES =
      List.of(
          Column.of("NODE"),
          Column.of("STATE"),
          Column.of("KEY"),
          Column.of("ROLE"),
          Column.of("CAUSE"),
          Column.wide("REMOTE-KEY"),
          Column.wide("CHECKED"),
          Column.wide("DETAIL"));

  private KmsViews() {}

  static View fleet(List<ClusterSummary> clusters, List<String> notes) {
    var rows = new ArrayList<Row>();
    var documents = new ArrayList<Map<String, Object>>();
    for (var cluster : clusters) {
      var kms = cluster.kms();
      var message = kms.message().isEmpty() ? cluster.message() : kms.message();
      rows.add(
          new Row(
              cluster.name(),
              List.of(
                  Cell.of(cluster.name()),
                  Cell.state(kms.state()),
                  Cell.of(kms.nodes()),
                  Cell.of(kms.key()),
                  Cell.of(kms.converged()),
                  Cell.of(kms.reason()),
                  Cell.of(message))));
      var document = new LinkedHashMap<String, Object>();
      document.put("cluster", cluster.name());
      document.put("kms", kms.document());
      documents.add(document);
    }
    return new View(
        List.of(),
        new Table(FLEET, rows),
        Map.of("clusters", documents),
        clusters.stream().map(cluster -> "cluster/" + cluster.name()).toList(),
        notes);
  }

  static View nodes(KmsHealthDocument health) {
    var verdict = KmsSummary.of(health);
    var heading = new ArrayList<String>();
    heading.add(
        "KMS %s%s, nodes %s, write key %s, keys converged: %s"
            .formatted(
                verdict.state(),
                verdict.reason().isEmpty() ? "" : " (" + verdict.reason() + ")",
                orDash(verdict.nodes()),
                orDash(verdict.key()),
                orDash(verdict.converged())));
    if (!verdict.message().isEmpty()) {
      heading.add(verdict.message());
    }
    KmsRemedies.forReasons(verdict.reason()).forEach(remedy -> heading.add("What next: " + remedy));
    ConditionList.find(health.status().conditions(), KmsHealthConditionTypes.KMS_OLD_KEY_UNREADABLE)
        .filter(condition -> condition.status() == ConditionStatus.TRUE)
        .ifPresent(
            condition -> {
              heading.add(condition.message());
              KmsRemedies.of(condition.reason())
                  .ifPresent(remedy -> heading.add("What next: " + remedy));
            });
    return new View(
        heading,
        new Table(NODES, rows(health)),
        health.json(),
        List.of("kmshealth.mesh.openkcm.io/" + KmsHealth.NAME),
        List.of());
  }

  /** One row for each plugin in a report of any form, and one for each node that has none. */
  private static List<Row> rows(KmsHealthDocument health) {
    var status = health.status();
    var reports = ReportParser.parse(status.conditions(), status.healthReports());
    var rows = new ArrayList<Row>();
    for (var node : status.nodes()) {
      var report = reports.get(node.nodeName());
      var plugins = report == null ? List.<PluginReport>of() : newestFirst(report);
      if (plugins.isEmpty()) {
        rows.add(row(node.nodeName(), titleCase(node.state()), null));
      }
      plugins.forEach(plugin -> rows.add(row(node.nodeName(), titleCase(node.state()), plugin)));
    }
    reports.values().stream()
        .filter(report -> isUnexpected(report, status.nodes()))
        .forEach(
            report ->
                newestFirst(report)
                    .forEach(
                        plugin ->
                            rows.add(row(report.node(), titleCase(plugin.health()), plugin))));
    return rows;
  }

  private static List<PluginReport> newestFirst(NodeReport report) {
    return List.copyOf(report.plugins().reversed().values());
  }

  private static boolean isUnexpected(NodeReport report, List<NodeHealth> nodes) {
    return nodes.stream().noneMatch(node -> node.nodeName().equals(report.node()));
  }

  private static Row row(String node, String state, @Nullable PluginReport plugin) {
    return new Row(
        node + (plugin == null ? "" : "/" + plugin.keyId()),
        List.of(
            Cell.of(node),
            Cell.state(state),
            Cell.of(plugin == null ? "" : plugin.keyId().toString()),
            Cell.of(plugin == null ? "" : role(plugin)),
            Cell.of(plugin == null ? "" : plugin.cause()),
            Cell.of(plugin == null ? "" : plugin.remoteKeyId()),
            Cell.untracked(plugin == null ? null : plugin.lastChecked()),
            Cell.of(plugin == null ? "" : plugin.detail())));
  }

  private static String role(PluginReport plugin) {
    return plugin.role() == null ? "" : plugin.role().name().toLowerCase(Locale.ROOT);
  }

  /** An enum constant as JSON spells it. */
  private static String titleCase(@Nullable Enum<?> constant) {
    if (constant == null) {
      return "-";
    }
    var name = constant.name();
    return name.charAt(0) + name.substring(1).toLowerCase(Locale.ROOT);
  }

  private static String orDash(String text) {
    return text.isEmpty() ? "-" : text;
  }
}

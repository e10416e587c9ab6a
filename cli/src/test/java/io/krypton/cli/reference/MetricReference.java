// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import io.krypton.operator.observe.OperatorMetric;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;

/** Turns the declared metrics into a page for people. */
final class MetricReference {
  private static final String HEAD =
      """
      # Metrics

      Made from the metrics as they are declared; tests keep it so. No object of a user is ever a label, so the number of series depends on
      clusters and nodes only. A histogram has the samples `_bucket`, `_sum` and `_count`, and of the operator also `_max`, the longest of the
      last minutes. [The chart](../install.md#dashboard-and-alerts) has a dashboard and alerts for these.

      """;

  private MetricReference() {}

  static String page() {
    return HEAD
        + section(
            "Operator",
            "`https://OPERATOR:8080/metrics`, [with a token](../tls.md).",
            Arrays.stream(OperatorMetric.values()).map(MetricReference::family).toList())
        + "\n"
        + section("Reporter", "`http://127.0.0.1:9811/metrics` on each node.", NodeMetrics.REPORTER)
        + "\n"
        + section("Gate", "`http://127.0.0.1:9810/metrics` on each node.", NodeMetrics.GATE);
  }

  private static NodeMetrics.Family family(OperatorMetric metric) {
    return new NodeMetrics.Family(
        metric.exposed(), metric.kind().type(), metric.help(), metric.labels());
  }

  private static String section(String title, String where, List<NodeMetrics.Family> families) {
    return """
        ## %s

        %s

        | Metric | Type | Labels | Meaning |
        |---|---|---|---|
        %s"""
        .formatted(
            title,
            where,
            families.stream().map(MetricReference::row).collect(Collectors.joining()));
  }

  private static String row(NodeMetrics.Family family) {
    return "| `%s` | %s | %s | %s |\n"
        .formatted(
            family.name(),
            family.type(),
            family.labels().stream()
                .map(label -> "`" + label + "`")
                .collect(Collectors.joining(", ")),
            family.help().replaceFirst("([^.])$", "$1."));
  }
}

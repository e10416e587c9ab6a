// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.hotpath;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.operator.kmshealth.input.ReportParser;
import io.krypton.operator.kmshealth.summary.ConditionUnion;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Inertia;
import io.krypton.operator.kmshealth.summary.ConditionUnion.Output;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.SortedMap;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/** What every change of a node's report costs: reading all of them, and summing up. */
@State(Scope.Thread)
public class KmsHealthBenchmark {
  private static final Instant NOW = Instant.parse("2026-01-01T00:00:00Z");

  @Param({"3", "100"})
  int nodes;

  private List<Condition> reports = List.of();
  private List<Condition> degraded = List.of();

  @Setup
  public void fill() {
    var message =
        IntStream.range(0, 3)
            .mapToObj(
                plugin ->
                    "keyID=%d status=healthy lastChecked=2026-01-01T00:00:00Z remoteKeyID=key-%d interval=30s"
                        .formatted(plugin, plugin))
            .collect(Collectors.joining("\n"));
    reports =
        IntStream.range(0, nodes)
            .mapToObj(
                node ->
                    Condition.of(
                        "KMSHealthReporter_node-" + node,
                        ConditionStatus.TRUE,
                        "AsExpected",
                        message))
            .toList();
    degraded =
        IntStream.range(0, nodes)
            .mapToObj(
                i ->
                    Condition.of(
                        "Part" + i + "Degraded",
                        i % 5 == 0 ? ConditionStatus.TRUE : ConditionStatus.FALSE,
                        "Reason",
                        "what is wrong with " + i))
            .toList();
  }

  @Benchmark
  public SortedMap<String, NodeReport> read_all_reports() {
    return ReportParser.parse(reports, List.of());
  }

  @Benchmark
  public ConditionUnion sum_up() {
    return ConditionUnion.of(
        Output.DEGRADED, degraded, Inertia.of(Duration.ofMinutes(2)), List.of(), NOW);
  }
}

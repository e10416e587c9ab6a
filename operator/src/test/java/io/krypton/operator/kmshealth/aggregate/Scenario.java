// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.NodeHealth.Source;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.operator.kmshealth.aggregate.Observation.PublishedStatus;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.NodeEvidence.Heartbeat;
import io.krypton.operator.kmshealth.input.NodeExpectation;
import io.krypton.operator.kmshealth.input.ReportParser;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A cluster whose nodes say what the test wants, looked at by one aggregator after the other. */
final class Scenario {
  static final Instant BEGIN = Instant.parse("2026-05-08T12:00:00Z");

  final Map<String, String> messages = new TreeMap<>();
  final Map<String, Heartbeat> leases = new HashMap<>();
  final Map<String, Duration> offsets = new HashMap<>();
  NodeExpectation expectation =
      new NodeExpectation.Known(Set.of("a", "b", "c"), Source.SPEC, Set.of());
  @Nullable Boolean inUse = true;
  Set<KeyId> keyIds = Set.of();
  Set<String> retired = Set.of();
  @Nullable KeyId writeKey;

  /** Whether reporters tell roles: the highest key of a node writes unless {@link #writers}. */
  boolean roles = true;

  final Map<String, String> writers = new HashMap<>();
  final Map<String, String> leaseNotes = new HashMap<>();
  final List<HealthReport> typed = new ArrayList<>();

  /** What the server would answer if the watch of Leases has stalled; else null. */
  @Nullable Map<String, Heartbeat> server;

  int asked;
  private boolean begun;
  long seconds;
  List<Condition> published = new ArrayList<>();
  @Nullable AggregatorState memory;
  GracePeriods patience = GracePeriods.STANDARD;
  @Nullable AggregationResult last;

  /**
   * A node with a reporter of ours; each plugin as {@code 2=healthy:kek} or {@code 1=unhealthy}.
   */
  Scenario reports(String node, String... plugins) {
    var lines = new ArrayList<String>();
    for (var plugin : plugins) {
      var parts = plugin.split("[=:]");
      var writer = writers.getOrDefault(node, plugins[0].split("=")[0]);
      lines.add(
          "keyID=%s status=%s lastChecked=%s%s%s%s interval=30s%s%s"
              .formatted(
                  parts[0],
                  parts[1],
                  nodeTime(node),
                  parts.length > 2 ? " remoteKeyID=" + parts[2] : "",
                  parts[1].equals("healthy") ? "" : " cause=Broken",
                  roles ? " role=" + (writer.equals(parts[0]) ? "write" : "read") : "",
                  parts.length > 3 ? " oldKeys=" + String.join(":", parts[3], parts[4]) : "",
                  parts[1].equals("healthy") ? "" : " detail=it hurts"));
    }
    messages.put(node, String.join("\n", lines));
    return beats(node);
  }

  Scenario beats(String... nodes) {
    for (var node : nodes) {
      leases.put(node, new Heartbeat(node + "_0", nodeTime(node), Duration.ofMinutes(2)));
    }
    return this;
  }

  private Instant nodeTime(String node) {
    return BEGIN.plusSeconds(seconds).plus(offsets.getOrDefault(node, Duration.ZERO));
  }

  Scenario allHealthy() {
    for (var node : List.of("a", "b", "c")) {
      reports(node, "2=healthy:kek", "1=healthy:old");
    }
    return this;
  }

  /**
   * Time passes, all Leases but those of the silent nodes are renewed, and the aggregator looks.
   */
  AggregationResult after(long passed, String... silent) {
    var end = seconds + passed;
    while (seconds < end) {
      seconds = Math.min(end, seconds + 30);
      var renewing = new ArrayList<>(leases.keySet());
      renewing.removeAll(List.of(silent));
      beats(renewing.toArray(String[]::new));
      look();
    }
    return look();
  }

  AggregationResult look() {
    var now = now();
    if (!begun) {
      // The aggregator was there before the nodes.
      begun = true;
      memory = observed(now, List.of(), Map.of(), false).state();
    }
    var aggregationResult = observed(now, conditions(), leases, false);
    if (!aggregationResult.suspectedStale().isEmpty()) {
      asked++;
      if (server != null) {
        leases.clear();
        leases.putAll(server);
        server = null;
        memory = null;
        return look();
      }
      aggregationResult = observed(now, conditions(), leases, true);
      assertThat(aggregationResult.suspectedStale()).isEmpty();
    }
    memory = aggregationResult.state();
    published = new ArrayList<>(aggregationResult.conditions());
    last = aggregationResult;
    return aggregationResult;
  }

  private ClockReading now() {
    return new ClockReading(Duration.ofSeconds(5000 + seconds), BEGIN.plusSeconds(seconds));
  }

  private List<Condition> conditions() {
    return messages.entrySet().stream()
        .map(
            node ->
                Condition.of(
                    KmsHealthConditionTypes.reporter(node.getKey()),
                    ConditionStatus.TRUE,
                    "AsExpected",
                    node.getValue()))
        .toList();
  }

  private AggregationResult observed(
      ClockReading now,
      List<Condition> conditions,
      Map<String, Heartbeat> heartbeats,
      boolean asking) {
    return HealthAggregator.aggregate(
        memory == null ? AggregatorState.initial(now) : memory,
        new Observation(
            now,
            new Observation.TargetSpec(inUse, keyIds, writeKey, Duration.ofMinutes(5), retired),
            expectation,
            ReportParser.parse(conditions, conditions.isEmpty() ? List.of() : typed),
            heartbeats,
            leaseNotes,
            new PublishedStatus(
                published,
                last == null ? List.of() : last.nodes(),
                last == null ? null : last.convergence()),
            asking),
        patience);
  }

  /** Another process takes over; what is published stays. */
  Scenario restart() {
    begun = true;
    memory = null;
    return this;
  }

  /** {@code True PluginError: message}, or a dash. */
  static String said(AggregationResult aggregationResult) {
    var condition = aggregationResult.degraded();
    return condition == null
        ? "-"
        : condition.status() + " " + condition.reason() + ": " + condition.message();
  }

  static Condition degraded(AggregationResult aggregationResult) {
    return Objects.requireNonNull(aggregationResult.degraded());
  }

  /** {@code TRUE OldKeyUnreadable: message}, or a dash. */
  static String oldKeys(AggregationResult aggregationResult) {
    var condition = aggregationResult.oldKeys();
    return condition == null
        ? "-"
        : condition.status() + " " + condition.reason() + ": " + condition.message();
  }

  /** The reason of KMSKeysConverged. */
  static String converged(@Nullable AggregationResult aggregationResult) {
    return Objects.requireNonNull(Objects.requireNonNull(aggregationResult).converged()).reason();
  }
}

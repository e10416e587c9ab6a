// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.agent.http.PrometheusText;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.PluginProbeResult.CallRecord;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Counts what probes did. The only unbounded label is the key id, of which the last is kept. */
public final class GateMetrics {
  private static final String PROBES = "krypton_gate_probes_total";
  private static final String KEY_SEEN = "krypton_gate_key_id_hash_status_last_timestamp_seconds";
  private static final String RELOADS = "krypton_gate_config_reloads_total";

  private final Map<List<String>, Long> probes = new TreeMap<>(byText());
  private final Map<List<String>, LatencyHistogram> latencies = new TreeMap<>(byText());
  private final Map<String, KeySeen> keys = new TreeMap<>();
  private long reloads;
  private long failedReloads;

  private record KeySeen(String hash, Instant at) {}

  private static Comparator<List<String>> byText() {
    return Comparator.comparing(List::toString);
  }

  synchronized void reloaded(boolean success) {
    if (success) {
      reloads++;
    } else {
      failedReloads++;
    }
  }

  synchronized void count(Set<String> providers, PluginProbeResult result) {
    for (var provider : providers) {
      probes.merge(
          List.of(
              "provider_name", provider, "level", level(result), "result", verdict(result).value()),
          1L,
          Long::sum);
      for (var call : result.calls()) {
        latencies
            .computeIfAbsent(labels(provider, call), _ -> new LatencyHistogram())
            .add(call.duration());
      }
      if (result.level() == ProbeLevel.STATUS && result.isGood() && !result.keyId().isEmpty()) {
        keys.put(provider, new KeySeen(KeyHash.label(result.keyId()), result.checkedAt()));
      }
    }
  }

  private static List<String> labels(String provider, CallRecord call) {
    var method =
        switch (call.operation()) {
          case STATUS -> "Status";
          case ENCRYPT -> "Encrypt";
          case DECRYPT -> "Decrypt";
        };
    return List.of(
        "provider_name", provider, "method_name", method, "grpc_status_code", call.code().name());
  }

  private static Verdict verdict(PluginProbeResult result) {
    return switch (result.outcome()) {
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _ -> Verdict.OK;
      case ProbeOutcome.Suspect(ProbeFinding probeFinding) -> probeFinding.verdict();
      case ProbeOutcome.Failing(ProbeFinding probeFinding) -> probeFinding.verdict();
    };
  }

  private static String level(PluginProbeResult result) {
    return switch (result.outcome()) {
      case ProbeOutcome.Good _ -> result.level() == ProbeLevel.STATUS ? "status" : "roundtrip";
      case ProbeOutcome.OldKeysUnreadable(ProbeFinding probeFinding, var _) ->
          level(probeFinding.phase());
      case ProbeOutcome.Suspect(ProbeFinding probeFinding) -> level(probeFinding.phase());
      case ProbeOutcome.Failing(ProbeFinding probeFinding) -> level(probeFinding.phase());
    };
  }

  private static String level(ProbePhase probePhase) {
    return switch (probePhase) {
      case ADDRESS, CONNECT -> "connect";
      case STATUS, VERSION, KEY_ID -> "status";
      case ENCRYPT, DECRYPT, KEY_ID_MISMATCH -> "roundtrip";
      case CANARY -> "canary";
      case GRPC_HEALTH -> "grpc_health";
      case HTTP -> "http";
    };
  }

  /** All counts in the text format of Prometheus. */
  public synchronized String text() {
    var text = new PrometheusText();
    text.counter(PROBES, "Probes by how deep they came and what they found.");
    probes.forEach(
        (labels, count) -> text.sample(PROBES, (double) count, labels.toArray(String[]::new)));
    text.gauge(KEY_SEEN, "When the plugin last named its key, by the hash of the key id.");
    keys.forEach(
        (provider, seen) ->
            text.sample(
                KEY_SEEN,
                (double) seen.at().getEpochSecond(),
                "provider_name",
                provider,
                "key_id_hash",
                seen.hash()));
    text.counter(RELOADS, "Configurations that were taken into use, and files that could not be.");
    text.sample(RELOADS, (double) reloads, "status", "success");
    text.sample(RELOADS, (double) failedReloads, "status", "failure");
    return text + LatencyHistogram.text(latencies);
  }

  /** How long calls took, in the buckets that kube-apiserver has for the same calls. */
  static final class LatencyHistogram {
    private static final String NAME = "krypton_gate_kms_operations_latency_seconds";
    private static final int BUCKETS = 20;
    private static final long FIRST_NANOS = 100_000;

    private final long[] counts = new long[BUCKETS];
    private long count;
    private Duration sum = Duration.ZERO;

    void add(Duration took) {
      count++;
      sum = sum.plus(took);
      for (int i = 0; i < BUCKETS; i++) {
        if (took.toNanos() <= FIRST_NANOS << i) {
          counts[i]++;
        }
      }
    }

    static String text(Map<List<String>, LatencyHistogram> byLabels) {
      var samples = new PrometheusText();
      byLabels.forEach((labels, histogram) -> histogram.write(samples, labels));
      return "# HELP %s Time that calls took.\n# TYPE %s histogram\n%s"
          .formatted(NAME, NAME, samples);
    }

    private void write(PrometheusText text, List<String> labels) {
      for (int i = 0; i < BUCKETS; i++) {
        var limit = BigDecimal.valueOf(FIRST_NANOS << i, 9).stripTrailingZeros().toPlainString();
        text.sample(NAME + "_bucket", (double) counts[i], with(labels, limit));
      }
      text.sample(NAME + "_bucket", (double) count, with(labels, "+Inf"));
      text.sample(NAME + "_sum", (double) sum.toNanos() / 1e9, labels.toArray(String[]::new));
      text.sample(NAME + "_count", (double) count, labels.toArray(String[]::new));
    }

    private static String[] with(List<String> labels, String limit) {
      var all = new ArrayList<>(labels);
      all.addAll(List.of("le", limit));
      return all.toArray(String[]::new);
    }
  }
}

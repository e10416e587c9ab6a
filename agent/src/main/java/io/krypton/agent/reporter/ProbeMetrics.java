// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.http.PrometheusText;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.PluginProbeResult.CallRecord;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Counts probes and calls; every label comes from a closed list. */
final class ProbeMetrics {
  private static final String PROBES = "krypton_kms_probe_total";
  private static final String SECONDS = "krypton_kms_probe_duration_seconds";
  private static final String DEEP_CALLS = "krypton_kms_deep_calls_total";

  private final Map<List<String>, Long> probes = newCounts();
  private final Map<List<String>, Long> deepCalls = newCounts();
  private final Map<List<String>, Spent> durations = new TreeMap<>(ProbeMetrics::compare);

  private record Spent(long count, Duration sum) {
    Spent and(Spent other) {
      return new Spent(count + other.count, sum.plus(other.sum));
    }
  }

  synchronized void count(PluginProbeResult result) {
    var keyId = result.plugin();
    var level = lower(result.level());
    probes.merge(probeLabels(keyId, level, result.outcome()), 1L, Long::sum);
    durations.merge(
        List.of("key_id", keyId, "phase", level), new Spent(1, result.duration()), Spent::and);
    for (var call : result.calls()) {
      if (call.operation() != CallRecord.Operation.STATUS) {
        deepCalls.merge(
            List.of(
                "key_id",
                keyId,
                "operation",
                lower(call.operation()),
                "result",
                call.code().name()),
            1L,
            Long::sum);
      }
    }
  }

  private static List<String> probeLabels(String keyId, String level, ProbeOutcome probeOutcome) {
    return switch (probeOutcome) {
      case ProbeOutcome.Good _ -> labels(keyId, level, "healthy", "");
      case ProbeOutcome.OldKeysUnreadable(var probeFinding, var _) ->
          labels(keyId, probeFinding.phase().value(), "healthy", probeFinding.cause());
      case ProbeOutcome.Suspect(var probeFinding) ->
          labels(keyId, probeFinding.phase().value(), "suspect", probeFinding.cause());
      case ProbeOutcome.Failing(var probeFinding) ->
          labels(
              keyId,
              probeFinding.phase().value(),
              lower(probeFinding.healthClass()),
              probeFinding.cause());
    };
  }

  private static List<String> labels(String keyId, String phase, String health, String cause) {
    return List.of("key_id", keyId, "phase", phase, "class", health, "cause", cause);
  }

  synchronized void writeTo(PrometheusText text) {
    text.counter(PROBES, "Total probes by plugin, phase and result.");
    probes.forEach((labels, count) -> text.sample(PROBES, (double) count, array(labels)));
    text.summary(SECONDS, "Duration of probes.");
    durations.forEach(
        (labels, spent) -> {
          text.sample(SECONDS + "_sum", (double) spent.sum().toNanos() / 1e9, array(labels));
          text.sample(SECONDS + "_count", (double) spent.count(), array(labels));
        });
    text.counter(DEEP_CALLS, "Total Encrypt and Decrypt calls, which a remote KMS may charge for.");
    deepCalls.forEach((labels, count) -> text.sample(DEEP_CALLS, (double) count, array(labels)));
  }

  private static String[] array(List<String> labels) {
    return labels.toArray(String[]::new);
  }

  private static Map<List<String>, Long> newCounts() {
    return new TreeMap<>(ProbeMetrics::compare);
  }

  private static int compare(List<String> one, List<String> other) {
    return one.toString().compareTo(other.toString());
  }

  private static String lower(Enum<?> value) {
    return value.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

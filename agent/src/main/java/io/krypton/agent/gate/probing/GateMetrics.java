package io.krypton.agent.gate.probing;

import io.krypton.agent.local.MetricsText;
import io.krypton.kms.probe.CallRecord;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.KeyIdHash;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Verdict;
import java.time.Instant;
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

  synchronized void count(Set<String> providers, ProbeResult result) {
    for (var provider : providers) {
      probes.merge(
          List.of(
              "provider_name", provider, "level", level(result), "result", verdict(result).word()),
          1L,
          Long::sum);
      for (var call : result.calls()) {
        latencies
            .computeIfAbsent(labels(provider, call), _ -> new LatencyHistogram())
            .add(call.took());
      }
      if (result.level() == Level.STATUS && result.isGood() && !result.keyId().isEmpty()) {
        keys.put(provider, new KeySeen(KeyIdHash.of(result.keyId()), result.checkedAt()));
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

  private static Verdict verdict(ProbeResult result) {
    return switch (result.outcome()) {
      case Outcome.Good _, Outcome.OldKeysUnreadable _ -> Verdict.OK;
      case Outcome.Suspect(Finding finding) -> finding.verdict();
      case Outcome.Failing(Finding finding) -> finding.verdict();
    };
  }

  private static String level(ProbeResult result) {
    return switch (result.outcome()) {
      case Outcome.Good _ -> result.level() == Level.STATUS ? "status" : "roundtrip";
      case Outcome.OldKeysUnreadable(Finding finding, var _) -> level(finding.phase());
      case Outcome.Suspect(Finding finding) -> level(finding.phase());
      case Outcome.Failing(Finding finding) -> level(finding.phase());
    };
  }

  private static String level(Phase phase) {
    return switch (phase) {
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
    var text = new MetricsText();
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
}

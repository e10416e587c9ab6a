package io.krypton.agent.gate.probing;

import io.krypton.agent.local.MetricsText;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** How long calls took, in the buckets that kube-apiserver has for the same calls. */
final class LatencyHistogram {
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
    var samples = new MetricsText();
    byLabels.forEach((labels, histogram) -> histogram.write(samples, labels));
    return "# HELP %s Time that calls took.\n# TYPE %s histogram\n%s"
        .formatted(NAME, NAME, samples);
  }

  private void write(MetricsText text, List<String> labels) {
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

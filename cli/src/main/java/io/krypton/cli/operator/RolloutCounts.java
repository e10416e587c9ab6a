package io.krypton.cli.operator;

import io.krypton.operator.observe.Metrics;
import io.krypton.operator.rollout.RolloutListener;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Drift, repairs and unlocks as metrics. */
record RolloutCounts(Metrics metrics) implements RolloutListener {

  @Override
  public void driftDetected(String cluster, List<String> kinds) {
    kinds.forEach(
        kind -> metrics.count("krypton_drift_detected", Map.of("cluster", cluster, "kind", kind)));
  }

  @Override
  public void repaired(String cluster, boolean success) {
    metrics.count(
        "krypton_drift_repairs", Map.of("cluster", cluster, "result", success ? "done" : "failed"));
  }

  @Override
  public void unlocked(String cluster, Unlock method) {
    metrics.count(
        "krypton_release_unlocks",
        Map.of("cluster", cluster, "method", method.name().toLowerCase(Locale.ROOT)));
  }
}

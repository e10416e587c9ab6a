package io.krypton.agent.reporter.report;

import io.krypton.kms.health.HealthClass;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The state of all plugins of one node.
 *
 * @param plugins newest key id first, at least one
 * @param interval the time between two probes, published so that readers need not guess it
 * @param lease the heartbeat as {@code <namespace>/<name>}, published so that readers need not look
 *     for it; null if there is none
 */
public record NodeHealthReport(
    String nodeName, Duration interval, @Nullable String lease, List<PluginHealthReport> plugins) {

  public NodeHealthReport {
    plugins =
        plugins.stream()
            .sorted(Comparator.comparing(PluginHealthReport::keyId).reversed())
            .toList();
    if (plugins.isEmpty()) {
      throw new IllegalArgumentException("a report speaks of at least one plugin");
    }
  }

  /** The condition's status and reason over all plugins. */
  public ConditionState conditionState() {
    if (has(HealthClass.UNHEALTHY)) {
      return ConditionState.UNHEALTHY;
    }
    return has(HealthClass.ERROR) ? ConditionState.UNREACHABLE : ConditionState.AS_EXPECTED;
  }

  /** Whether the other report says the same, apart from times and details. */
  public boolean isEquivalentTo(NodeHealthReport other) {
    return significantFields().equals(other.significantFields());
  }

  private List<PluginHealthReport.SignificantFields> significantFields() {
    return plugins.stream().map(PluginHealthReport::significantFields).toList();
  }

  private boolean has(HealthClass health) {
    return plugins.stream().anyMatch(plugin -> plugin.health() == health);
  }

  /** What a condition can say about a node. */
  public enum ConditionState {
    AS_EXPECTED("True", "AsExpected"),
    UNHEALTHY("False", "Unhealthy"),
    UNREACHABLE("Unknown", "Unreachable");

    private final String status;
    private final String reason;

    ConditionState(String status, String reason) {
      this.status = status;
      this.reason = reason;
    }

    public String status() {
      return status;
    }

    public String reason() {
      return reason;
    }
  }
}

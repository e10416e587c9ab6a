package io.krypton.agent.report;

import io.krypton.kms.verdict.HealthClass;
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
public record NodeReport(
    String nodeName, Duration interval, @Nullable String lease, List<PluginReport> plugins) {

  public NodeReport {
    plugins =
        plugins.stream().sorted(Comparator.comparing(PluginReport::keyId).reversed()).toList();
    if (plugins.isEmpty()) {
      throw new IllegalArgumentException("a report speaks of at least one plugin");
    }
  }

  /** The condition's status and reason over all plugins. */
  public Outcome outcome() {
    if (has(HealthClass.UNHEALTHY)) {
      return Outcome.UNHEALTHY;
    }
    return has(HealthClass.ERROR) ? Outcome.UNREACHABLE : Outcome.AS_EXPECTED;
  }

  /** Whether the other report says the same, apart from times and details. */
  public boolean saysTheSameAs(NodeReport other) {
    return essence().equals(other.essence());
  }

  private List<PluginReport.Essence> essence() {
    return plugins.stream().map(PluginReport::essence).toList();
  }

  private boolean has(HealthClass health) {
    return plugins.stream().anyMatch(plugin -> plugin.health() == health);
  }

  /** What a condition can say about a node. */
  public enum Outcome {
    AS_EXPECTED("True", "AsExpected"),
    UNHEALTHY("False", "Unhealthy"),
    UNREACHABLE("Unknown", "Unreachable");

    private final String status;
    private final String reason;

    Outcome(String status, String reason) {
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

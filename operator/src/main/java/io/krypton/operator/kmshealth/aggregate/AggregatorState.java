// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.kmshealth.Convergence;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.PluginKey;
import io.krypton.operator.kmshealth.convergence.ConvergenceResult.KeyAgreement;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.NodeExpectation.Expected;
import io.krypton.operator.kmshealth.input.NodeLiveness;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The state of the aggregator for one object between two reconciles. It is reset with each process
 * and each term of leadership; all times are of the monotonic clock.
 *
 * @param reconciledAt the last reconcile; null before the first
 * @param inUseSince null while KMS is not in use
 * @param expectedSince since when each node has been expected
 * @param unexpectedSince since when each node that is there has not been expected
 * @param keySets which plugins each node reports
 * @param locations when each place of a node's report last changed
 * @param announced what was announced about a node and still holds
 */
public record AggregatorState(
    Duration startedAt,
    @Nullable ClockReading reconciledAt,
    @Nullable Duration inUseSince,
    Expected expected,
    Map<String, NodeLiveness> nodes,
    Map<String, Duration> expectedSince,
    Map<String, Duration> unexpectedSince,
    Map<PluginKey, PluginDebounce> plugins,
    ReportedKeys keySets,
    ReportLocationHistory locations,
    Set<NodeWarning> announced,
    @Nullable KeyAgreement agreement,
    @Nullable Convergence convergence) {

  public AggregatorState {
    nodes = Map.copyOf(nodes);
    expectedSince = Map.copyOf(expectedSince);
    unexpectedSince = Map.copyOf(unexpectedSince);
    plugins = Map.copyOf(plugins);
    announced = Set.copyOf(announced);
  }

  boolean isFirstReconcile() {
    return reconciledAt == null;
  }

  /**
   * After a long pause, of the process or of the machine, what was seen before is void: the nodes
   * may have spoken all the while, and nobody listened.
   */
  AggregatorState resetAfterLongPause(ClockReading now) {
    return reconciledAt != null && now.isLongAfter(reconciledAt) ? initial(now) : this;
  }

  public static AggregatorState initial(ClockReading now) {
    return new AggregatorState(
        now.uptime(),
        null,
        null,
        Expected.NOTHING,
        Map.of(),
        Map.of(),
        Map.of(),
        Map.of(),
        ReportedKeys.NONE,
        ReportLocationHistory.NONE,
        Set.of(),
        null,
        null);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.condition.Condition;
import io.krypton.api.event.EventReason;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.base.kmsreport.KeyId;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What follows from an observation.
 *
 * @param inUse false: all of our statements are withdrawn
 * @param degraded with its time; null as long as there is nothing to say
 * @param converged with its time; null if KMS is not in use
 * @param oldKeys with its time; null as long as every old key could be read
 * @param writeKeyFails whether the plugin that encrypts is among the failing ones
 * @param warnings newly true
 * @param orphans nodes whose entries and Leases are to be removed
 * @param suspectedStale nodes that seem to have fallen silent: nothing of this is to be published
 *     before the server itself was asked
 * @param requeueAfter until the passing of time alone may change something
 */
public record AggregationResult(
    AggregatorState state,
    boolean inUse,
    @Nullable Condition degraded,
    @Nullable Condition converged,
    @Nullable Condition oldKeys,
    List<NodeHealth> nodes,
    @Nullable KeyId writeKey,
    boolean writeKeyFails,
    @Nullable Convergence convergence,
    boolean keyReused,
    Set<NodeWarning> warnings,
    Set<String> orphans,
    Set<String> suspectedStale,
    Duration requeueAfter) {
  /** The conditions to publish. */
  public List<Condition> conditions() {
    return Stream.of(degraded, converged, oldKeys).filter(Objects::nonNull).toList();
  }

  /** Such as {@code 2/3}. */
  public String nodesHealthy() {
    return nodesHealthy(nodes);
  }

  /** Such as {@code 2/3}. */
  public static String nodesHealthy(List<NodeHealth> nodes) {
    var healthy = nodes.stream().filter(node -> node.state() == NodeHealth.State.HEALTHY).count();
    return healthy + "/" + nodes.size();
  }

  /** Something about a node that users should know once, although it changes no verdict. */
  public record NodeWarning(Kind kind, String node) {

    /** Each is the reason of an event. */
    public enum Kind {
      CLOCK_SKEW(EventReason.CLOCK_SKEW),
      DUPLICATE_REPORTER(EventReason.DUPLICATE_REPORTER),
      UNEXPECTED_REPORTER(EventReason.UNEXPECTED_REPORTER);

      private final EventReason reason;

      Kind(EventReason reason) {
        this.reason = reason;
      }

      public EventReason reason() {
        return reason;
      }
    }
  }
}

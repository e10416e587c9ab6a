package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.condition.Condition;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.operator.kmshealth.report.KeyId;
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
 * @param notices newly true
 * @param orphans nodes whose entries and Leases are to be removed
 * @param suspects nodes that seem to have fallen silent: nothing of this is to be published before
 *     the server itself was asked
 * @param pause until the passing of time alone may change something
 */
public record Conclusion(
    Memory memory,
    boolean inUse,
    @Nullable Condition degraded,
    @Nullable Condition converged,
    @Nullable Condition oldKeys,
    List<NodeHealth> nodes,
    @Nullable KeyId writeKey,
    boolean writeKeyFails,
    @Nullable Convergence convergence,
    boolean keyReused,
    Set<Notice> notices,
    Set<String> orphans,
    Set<String> suspects,
    Duration pause) {
  /** What the aggregator says on the object. */
  public List<Condition> conditions() {
    return Stream.of(degraded, converged, oldKeys).filter(Objects::nonNull).toList();
  }

  /** Such as {@code 2/3}. */
  public String nodesHealthy() {
    var healthy = nodes.stream().filter(node -> node.state() == NodeHealth.State.HEALTHY).count();
    return healthy + "/" + nodes.size();
  }
}

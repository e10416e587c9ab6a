// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.operator.kmshealth.aggregate.AggregationResult;
import io.krypton.operator.kmshealth.aggregate.AggregatorState;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.targets.HealthTarget.TargetState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * The KMS health of one object of one cluster, for people and dashboards. The conditions are as the
 * cluster shows them; the rest is known to the leader only.
 *
 * @param summary {@code Degraded}, where the object itself carries it
 * @param serverKeyHash of the key that the API server says it encrypts with, if it can be read
 * @param evidenceAges time since the last change of each node
 * @param clockSkews how far the clock of each node is behind
 */
public record KmsHealthView(
    String cluster,
    String target,
    @Nullable Condition degraded,
    @Nullable Condition summary,
    @Nullable Condition converged,
    List<NodeHealth> nodes,
    String nodesHealthy,
    @Nullable String writeKeyId,
    boolean writeKeyFails,
    @Nullable String remoteKeyHash,
    @Nullable String serverKeyHash,
    Map<String, Duration> evidenceAges,
    Map<String, Duration> clockSkews) {

  /** From what the cluster shows and what this process knows besides. */
  static KmsHealthView of(
      String cluster,
      String target,
      TargetState state,
      @Nullable AggregationResult last,
      @Nullable AggregatorState aggregatorState,
      @Nullable String serverKeyHash,
      ClockReading now) {
    var ages = new TreeMap<String, Duration>();
    var skews = new TreeMap<String, Duration>();
    if (aggregatorState != null) {
      aggregatorState
          .nodes()
          .forEach(
              (node, track) -> {
                ages.put(node, now.since(track.changedAt()));
                var skew = track.skew();
                if (skew != null) {
                  skews.put(node, skew);
                }
              });
    }
    var nodes = last == null ? state.published().nodes() : last.nodes();
    var convergence = last == null ? state.published().convergence() : last.convergence();
    return new KmsHealthView(
        cluster,
        target,
        state.published().degraded(),
        ConditionList.find(state.conditions(), KmsHealthConditionTypes.DEGRADED).orElse(null),
        state.published().converged(),
        nodes,
        AggregationResult.nodesHealthy(nodes),
        last == null || last.writeKey() == null ? null : last.writeKey().toString(),
        last != null && last.writeKeyFails(),
        convergence == null ? null : convergence.remoteKeyHash(),
        serverKeyHash,
        ages,
        skews);
  }
}

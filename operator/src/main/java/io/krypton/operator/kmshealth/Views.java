package io.krypton.operator.kmshealth;

import io.krypton.api.condition.Conditions;
import io.krypton.api.kmshealth.KmsHealthConditions;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.verdict.Conclusion;
import io.krypton.operator.kmshealth.verdict.Memory;
import java.time.Duration;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes views of what the cluster shows and what this process knows besides. */
final class Views {
  private Views() {}

  static KmsView of(
      String cluster,
      String target,
      TargetState state,
      @Nullable Conclusion last,
      @Nullable Memory memory,
      @Nullable String serverKeyHash,
      Moment now) {
    var ages = new TreeMap<String, Duration>();
    var skews = new TreeMap<String, Duration>();
    if (memory != null) {
      memory
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
    return new KmsView(
        cluster,
        target,
        state.published().degraded(),
        Conditions.find(state.conditions(), KmsHealthConditions.DEGRADED).orElse(null),
        state.published().converged(),
        nodes,
        healthyOf(nodes),
        last == null || last.writeKey() == null ? null : last.writeKey().toString(),
        last != null && last.writeKeyFails(),
        convergence == null ? null : convergence.remoteKeyHash(),
        serverKeyHash,
        ages,
        skews);
  }

  private static String healthyOf(List<NodeHealth> nodes) {
    var healthy = nodes.stream().filter(node -> node.state() == NodeHealth.State.HEALTHY).count();
    return healthy + "/" + nodes.size();
  }
}

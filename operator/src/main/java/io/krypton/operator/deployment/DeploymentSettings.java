package io.krypton.operator.deployment;

import io.krypton.multicluster.queue.Limits;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import java.time.Duration;
import java.util.Set;

/**
 * How KryptonDeployments are treated.
 *
 * @param watchNamespaces only objects in these; empty means all
 * @param label by which Secrets are discovered, and may be named from any namespace
 * @param centralValues beneath the values of each object
 * @param runs so many objects are worked on at once, in all and for one cluster
 * @param ensuresCrds the operator itself brings the definition of the kind to home
 */
public record DeploymentSettings(
    Set<String> watchNamespaces,
    Routing routing,
    String label,
    Values centralValues,
    BaseValue baseValue,
    ReservedNamespaces reserved,
    boolean allowChartSkip,
    Duration checkInterval,
    Limits runs,
    boolean ensuresCrds) {
  public DeploymentSettings {
    watchNamespaces = Set.copyOf(watchNamespaces);
  }

  boolean watches(String namespace) {
    return watchNamespaces.isEmpty() || watchNamespaces.contains(namespace);
  }
}

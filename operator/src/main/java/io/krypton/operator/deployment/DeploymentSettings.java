// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.multicluster.queue.ConcurrencyLimits;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.time.Duration;
import java.util.Set;

/**
 * How KryptonDeployments are treated.
 *
 * @param watchNamespaces only objects in these; empty means all
 * @param label by which Secrets are discovered, and may be named from any namespace
 * @param runs so many objects are worked on at once, in all and for one cluster
 * @param ensuresCrds the operator itself brings the definition of the kind to home
 */
public record DeploymentSettings(
    Set<String> watchNamespaces,
    RegionRouting routing,
    String label,
    DefaultValue baseValue,
    ReservedNamespaces reserved,
    boolean allowChartSkip,
    Duration checkInterval,
    ConcurrencyLimits runs,
    boolean ensuresCrds) {
  public DeploymentSettings {
    watchNamespaces = Set.copyOf(watchNamespaces);
  }

  boolean watches(String namespace) {
    return watchNamespaces.isEmpty() || watchNamespaces.contains(namespace);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.time.Duration;
import java.util.Set;

/**
 * How Tenants are treated.
 *
 * @param watchNamespaces only Tenants in these; empty means all
 */
public record TenantSettings(
    Set<String> watchNamespaces,
    DefaultValue baseValue,
    ReservedNamespaces reserved,
    boolean allowChartSkip,
    Duration checkInterval) {
  public TenantSettings {
    watchNamespaces = Set.copyOf(watchNamespaces);
  }

  boolean watches(String namespace) {
    return watchNamespaces.isEmpty() || watchNamespaces.contains(namespace);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import java.time.Duration;
import java.util.Set;

/**
 * How Tenants are treated.
 *
 * @param watchNamespaces only Tenants in these; empty means all
 * @param centralValues beneath the values of each Tenant
 */
public record TenantSettings(
    Set<String> watchNamespaces,
    ChartValues centralValues,
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

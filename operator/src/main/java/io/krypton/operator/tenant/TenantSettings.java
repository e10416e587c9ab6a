package io.krypton.operator.tenant;

import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
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
    Values centralValues,
    BaseValue baseValue,
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

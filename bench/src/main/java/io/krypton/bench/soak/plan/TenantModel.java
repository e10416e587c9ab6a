// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.soak.plan;

import io.krypton.bench.soak.plan.SoakStep.TenantStep;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * What there should be when all edits have been made.
 *
 * @param living the message that each Tenant was given last, by its name
 * @param deleted names of Tenants of which nothing may be left
 */
public record TenantModel(Map<String, String> living, Set<String> deleted) {
  /** Begins all values of Tenants, so that they are found where they must not be. */
  public static final String VALUE_PREFIX = "soak-value-";

  /** Begins all names of Tenants. */
  public static final String NAME_PREFIX = "soak-";

  public TenantModel {
    living = Map.copyOf(living);
    deleted = Set.copyOf(deleted);
  }

  public static TenantModel after(Collection<TenantStep> edits) {
    var living = new TreeMap<String, String>();
    var deleted = new TreeSet<String>();
    for (var step : edits) {
      var name = name(step.tenant());
      switch (step.edit()) {
        case CREATE, RECREATE, VALUES -> living.put(name, message(step.value()));
        case DELETE -> {
          living.remove(name);
          deleted.add(name);
        }
        case REQUEST,
            SUSPEND,
            CONFIG_EDITED,
            CONFIG_DELETED,
            SERVICE_DELETED,
            PORT_EDITED,
            DEPLOYMENT_SCALED,
            HISTORY_DELETED -> {
          // What should be there stays the same.
        }
      }
    }
    return new TenantModel(living, deleted);
  }

  public static String name(int tenant) {
    return NAME_PREFIX + tenant;
  }

  public static String message(int value) {
    return VALUE_PREFIX + value;
  }
}

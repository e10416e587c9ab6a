package io.krypton.operator.kmshealth;

import io.fabric8.kubernetes.api.model.coordination.v1.Lease;
import java.util.List;
import java.util.Map;

/**
 * The Leases of reporters at one moment.
 *
 * @param configured the namespace of {@code --kms-lease-namespace}
 * @param leases by namespace, for each that is watched
 * @param refused why some of these namespaces cannot be read
 */
record LeaseView(String configured, Map<String, List<Lease>> leases, Map<String, String> refused) {
  LeaseView {
    leases = Map.copyOf(leases);
    refused = Map.copyOf(refused);
  }

  List<Lease> in(String namespace) {
    return leases.getOrDefault(namespace, List.of());
  }
}

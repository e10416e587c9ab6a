// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.tenant.Tenant;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.RolloutResult.FailureReason;
import org.jspecify.annotations.Nullable;

/** What a Tenant asks of this cluster, before anything is read from the cluster. */
public sealed interface TenantDecision {
  record CleanUp(boolean orphan) implements TenantDecision {}

  record Suspend() implements TenantDecision {}

  /** Another cluster is meant; nothing is removed because of it. */
  record Skip(String wantedCluster) implements TenantDecision {}

  record Reject(FailureReason reason, String message) implements TenantDecision {}

  record RollOut(String workspace) implements TenantDecision {}

  /**
   * Deletion comes before everything else: also an object that would be refused can be deleted.
   *
   * @param olderClaimant an older Tenant that wants the same workspace
   */
  static TenantDecision decide(
      Tenant tenant, String cluster, ReservedNamespaces reserved, @Nullable Owner olderClaimant) {
    if (tenant.getMetadata().getDeletionTimestamp() != null) {
      return new CleanUp(isOrphaned(tenant));
    }
    if (tenant.getSpec().suspend()) {
      return new Suspend();
    }
    var wantedCluster = wantedCluster(tenant);
    if (wantedCluster != null && !wantedCluster.equals(cluster)) {
      return new Skip(wantedCluster);
    }
    var workspace = tenant.getSpec().workspaceOf(tenant.getMetadata().getName());
    if (reserved.rejects(workspace)) {
      return new Reject(
          FailureReason.RESERVED_NAMESPACE,
          "namespace %s is reserved; choose another spec.workspace or name".formatted(workspace));
    }
    if (olderClaimant != null) {
      return new Reject(
          FailureReason.NAMESPACE_CONFLICT,
          "namespace %s is wanted by the older %s; delete that object or choose another workspace"
              .formatted(workspace, olderClaimant.reference()));
    }
    return new RollOut(workspace);
  }

  /** The cluster a Tenant is limited to, if it is. */
  static @Nullable String wantedCluster(Tenant tenant) {
    var reference = tenant.getSpec().clusterRef();
    var name = reference == null ? null : reference.secretName();
    return name == null || name.isEmpty() ? null : name;
  }

  private static boolean isOrphaned(Tenant tenant) {
    var annotations = tenant.getMetadata().getAnnotations();
    return annotations != null
        && Annotations.ORPHAN.equals(annotations.get(Annotations.DELETION_POLICY));
  }
}

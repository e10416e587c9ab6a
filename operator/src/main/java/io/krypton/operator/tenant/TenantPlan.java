package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.tenant.Tenant;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.Problem;
import io.krypton.operator.rollout.ReservedNamespaces;
import org.jspecify.annotations.Nullable;

/** What a Tenant asks of this cluster, before anything on the cluster is looked at. */
public sealed interface TenantPlan {
  record CleanUp(boolean orphan) implements TenantPlan {}

  record Rest() implements TenantPlan {}

  /** Another cluster is meant; nothing is removed because of it. */
  record Skip(String wantedCluster) implements TenantPlan {}

  record Refuse(Problem problem, String message) implements TenantPlan {}

  record RollOut(String workspace) implements TenantPlan {}

  /**
   * Deletion comes before everything else: also an object that would be refused can be deleted.
   *
   * @param olderClaimant an older Tenant that wants the same workspace
   */
  static TenantPlan of(
      Tenant tenant, String cluster, ReservedNamespaces reserved, @Nullable Owner olderClaimant) {
    if (tenant.getMetadata().getDeletionTimestamp() != null) {
      return new CleanUp(isOrphaned(tenant));
    }
    if (tenant.getSpec().suspend()) {
      return new Rest();
    }
    var wantedCluster = wantedCluster(tenant);
    if (wantedCluster != null && !wantedCluster.equals(cluster)) {
      return new Skip(wantedCluster);
    }
    var workspace = tenant.getSpec().workspaceOf(tenant.getMetadata().getName());
    if (reserved.refuses(workspace)) {
      return new Refuse(
          Problem.RESERVED_NAMESPACE,
          "namespace %s is reserved; choose another spec.workspace or name".formatted(workspace));
    }
    if (olderClaimant != null) {
      return new Refuse(
          Problem.NAMESPACE_CONFLICT,
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

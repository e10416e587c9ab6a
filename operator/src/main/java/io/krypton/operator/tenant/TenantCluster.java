package io.krypton.operator.tenant;

import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.rollout.Claims;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.TargetCluster;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The Tenants of one engaged cluster, and what is needed to roll them out there. */
public record TenantCluster(
    TargetCluster target,
    ObjectCache<Tenant> tenants,
    StatusWriter<Tenant> statuses,
    EventRecorder events,
    ReferencedValues references) {
  private static final String BY_WORKSPACE = "workspace";
  private static final String BY_UID = "uid";

  /** The indexes that the cache of Tenants must have. */
  public static Map<String, Function<Tenant, List<String>>> indexes() {
    return Map.of(
        BY_WORKSPACE,
        tenant -> List.of(workspaceOf(tenant)),
        BY_UID,
        tenant -> List.of(tenant.getMetadata().getUid()));
  }

  static String workspaceOf(Tenant tenant) {
    return tenant.getSpec().workspaceOf(tenant.getMetadata().getName());
  }

  static Owner ownerOf(Tenant tenant) {
    var metadata = tenant.getMetadata();
    return new Owner(
        Owner.Kind.TENANT,
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        Instant.parse(metadata.getCreationTimestamp()));
  }

  String name() {
    return target.name();
  }

  /** All Tenants that want this namespace, whether or not this cluster is meant. */
  List<Tenant> claimants(String workspace) {
    return tenants.byIndex(BY_WORKSPACE, workspace);
  }

  /** Whether a Tenant with this UID exists. */
  boolean has(String uid) {
    return !tenants.byIndex(BY_UID, uid).isEmpty();
  }

  /** The Tenant that has a better right to the workspace than this one. */
  Optional<Owner> olderClaimant(Tenant tenant) {
    var self = ownerOf(tenant);
    var workspace = workspaceOf(tenant);
    var rivals = claimants(workspace).stream().filter(this::isMeant).map(TenantCluster::ownerOf);
    return Claims.ahead(self, rivals, target.isHeldBy(self, workspace));
  }

  private boolean isMeant(Tenant tenant) {
    var wanted = TenantPlan.wantedCluster(tenant);
    return wanted == null || wanted.equals(name());
  }
}

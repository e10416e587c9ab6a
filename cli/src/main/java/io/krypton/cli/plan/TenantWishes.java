package io.krypton.cli.plan;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.Annotations;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.rollout.Owner;
import io.krypton.operator.rollout.ReferencedValues;
import io.krypton.operator.rollout.ReservedNamespaces;
import io.krypton.operator.tenant.TenantPlan;
import io.krypton.operator.values.BaseValue;
import io.krypton.operator.values.Values;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the Tenants of one cluster ask for, by the operator's own rules. */
final class TenantWishes {
  private final String cluster;
  private final List<Tenant> tenants;
  private final Values central;
  private final BaseValue base;
  private final ReservedNamespaces reserved;
  private final ReferencedValues references;

  TenantWishes(
      String cluster,
      List<Tenant> tenants,
      Values central,
      BaseValue base,
      ReservedNamespaces reserved,
      ReferencedValues references) {
    this.cluster = cluster;
    this.tenants = List.copyOf(tenants);
    this.central = central;
    this.base = base;
    this.reserved = reserved;
    this.references = references;
  }

  Wish of(Tenant tenant) {
    return switch (TenantPlan.of(tenant, cluster, reserved, olderClaimant(tenant))) {
      case TenantPlan.CleanUp cleanUp -> nothing(tenant, Verdict.SKIPPED, "it is being deleted");
      case TenantPlan.Rest rest -> nothing(tenant, Verdict.SKIPPED, "suspended");
      case TenantPlan.Skip(var wanted) ->
          nothing(tenant, Verdict.SKIPPED, "it is for cluster " + wanted);
      case TenantPlan.Refuse(var problem, var message) ->
          nothing(tenant, Verdict.SKIPPED, problem.word() + ": " + message);
      case TenantPlan.RollOut(var workspace) -> rollOut(tenant, workspace);
    };
  }

  private Wish rollOut(Tenant tenant, String workspace) {
    var spec = tenant.getSpec();
    var metadata = tenant.getMetadata();
    var reader = new WorkKey(cluster, metadata.getNamespace(), metadata.getName());
    return switch (references.read(reader, spec.valuesFrom())) {
      case ReferencedValues.Read.Wrong(var problem, var message) ->
          nothing(tenant, Verdict.UNKNOWN, problem.word() + ": " + message);
      case ReferencedValues.Read.Found(var referenced) ->
          new Wish.Wants(
              new WantedRelease(
                  cluster,
                  shown(metadata),
                  ReleaseName.ofTenant(metadata.getName(), cluster),
                  workspace,
                  central.overriddenBy(referenced).overriddenBy(Values.of(spec.values())),
                  base,
                  annotations(metadata).get(Annotations.fingerprint(cluster))));
    };
  }

  private Wish nothing(Tenant tenant, Verdict verdict, String why) {
    return new Wish.Nothing(untold(tenant, verdict, why));
  }

  /** A line about a Tenant whose release is not planned. */
  ReleasePlan untold(Tenant tenant, Verdict verdict, String why) {
    var metadata = tenant.getMetadata();
    return ReleasePlan.of(
        cluster,
        shown(metadata),
        ReleaseName.ofTenant(metadata.getName(), cluster).value(),
        workspace(tenant),
        verdict,
        why);
  }

  /** The oldest Tenant that is meant for this cluster, wants the same workspace and came first. */
  private @Nullable Owner olderClaimant(Tenant tenant) {
    var self = owner(tenant);
    return tenants.stream()
        .filter(other -> workspace(other).equals(workspace(tenant)) && isMeant(other))
        .map(TenantWishes::owner)
        .filter(other -> other.isOlderThan(self))
        .min(Comparator.comparing(Owner::createdAt).thenComparing(Owner::uid))
        .orElse(null);
  }

  private boolean isMeant(Tenant tenant) {
    var wanted = TenantPlan.wantedCluster(tenant);
    return wanted == null || wanted.equals(cluster);
  }

  private static String workspace(Tenant tenant) {
    return tenant.getSpec().workspaceOf(tenant.getMetadata().getName());
  }

  private static Owner owner(Tenant tenant) {
    var metadata = tenant.getMetadata();
    return new Owner(
        Owner.Kind.TENANT,
        metadata.getNamespace(),
        metadata.getName(),
        metadata.getUid(),
        Instant.parse(metadata.getCreationTimestamp()));
  }

  private static Map<String, String> annotations(ObjectMeta metadata) {
    return metadata.getAnnotations() == null ? Map.of() : metadata.getAnnotations();
  }

  private static String shown(ObjectMeta metadata) {
    return "tenant %s/%s".formatted(metadata.getNamespace(), metadata.getName());
  }
}

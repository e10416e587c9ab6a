// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.api.Annotations;
import io.krypton.api.tenant.Tenant;
import io.krypton.cli.plan.PlannedRelease.WantedRelease;
import io.krypton.cli.plan.ReleasePlan.Verdict;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.namespace.ReservedNamespaces;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.operator.tenant.TenantDecision;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What the Tenants of one cluster ask for, by the operator's own rules. */
final class TenantReleaseResolver {
  private final String cluster;
  private final List<Tenant> tenants;
  private final ChartValues central;
  private final DefaultValue base;
  private final ReservedNamespaces reserved;
  private final ReferencedValues references;

  TenantReleaseResolver(
      String cluster,
      List<Tenant> tenants,
      ChartValues central,
      DefaultValue base,
      ReservedNamespaces reserved,
      ReferencedValues references) {
    this.cluster = cluster;
    this.tenants = List.copyOf(tenants);
    this.central = central;
    this.base = base;
    this.reserved = reserved;
    this.references = references;
  }

  PlannedRelease resolve(Tenant tenant) {
    return switch (TenantDecision.decide(tenant, cluster, reserved, olderOwner(tenant))) {
      case TenantDecision.CleanUp cleanUp ->
          notPlanned(tenant, Verdict.SKIPPED, "it is being deleted");
      case TenantDecision.Suspend suspend -> notPlanned(tenant, Verdict.SKIPPED, "suspended");
      case TenantDecision.Skip(var wanted) ->
          notPlanned(tenant, Verdict.SKIPPED, "it is for cluster " + wanted);
      case TenantDecision.Reject(var failureReason, var message) ->
          notPlanned(tenant, Verdict.SKIPPED, failureReason.value() + ": " + message);
      case TenantDecision.RollOut(var workspace) -> rollOut(tenant, workspace);
    };
  }

  private PlannedRelease rollOut(Tenant tenant, String workspace) {
    var spec = tenant.getSpec();
    var metadata = tenant.getMetadata();
    var reader = new WorkKey(cluster, metadata.getNamespace(), metadata.getName());
    return switch (references.read(reader, spec.valuesFrom())) {
      case ReferencedValues.ReadResult.Invalid(var failureReason, var message) ->
          notPlanned(tenant, Verdict.UNKNOWN, failureReason.value() + ": " + message);
      case ReferencedValues.ReadResult.Found(var referenced) ->
          new PlannedRelease.Wanted(
              new WantedRelease(
                  cluster,
                  displayName(metadata),
                  ReleaseName.ofTenant(metadata.getName(), cluster),
                  workspace,
                  central.mergedWith(referenced).mergedWith(ChartValues.of(spec.values())),
                  base,
                  annotations(metadata).get(Annotations.fingerprint(cluster))));
    };
  }

  private PlannedRelease notPlanned(Tenant tenant, Verdict verdict, String why) {
    return new PlannedRelease.NotPlanned(unplanned(tenant, verdict, why));
  }

  /** A line about a Tenant whose release is not planned. */
  ReleasePlan unplanned(Tenant tenant, Verdict verdict, String why) {
    var metadata = tenant.getMetadata();
    return ReleasePlan.of(
        cluster,
        displayName(metadata),
        ReleaseName.ofTenant(metadata.getName(), cluster).value(),
        workspace(tenant),
        verdict,
        why);
  }

  /** The oldest Tenant that is meant for this cluster, wants the same workspace and came first. */
  private @Nullable Owner olderOwner(Tenant tenant) {
    var self = owner(tenant);
    return tenants.stream()
        .filter(other -> workspace(other).equals(workspace(tenant)) && isForThisCluster(other))
        .map(TenantReleaseResolver::owner)
        .filter(other -> other.isOlderThan(self))
        .min(Comparator.comparing(Owner::createdAt).thenComparing(Owner::uid))
        .orElse(null);
  }

  private boolean isForThisCluster(Tenant tenant) {
    var wanted = TenantDecision.wantedCluster(tenant);
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

  private static String displayName(ObjectMeta metadata) {
    return "tenant %s/%s".formatted(metadata.getNamespace(), metadata.getName());
  }
}

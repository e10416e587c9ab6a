// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.tenant.Tenant;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.multicluster.cache.InformerCache;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.event.EventRecorder;
import io.krypton.multicluster.status.StatusWriter;
import io.krypton.operator.namespace.NamespaceArbitration;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.ReferencedValues;
import io.krypton.operator.release.target.ObservedOwner;
import io.krypton.operator.release.target.ObservedOwner.ClassChoice;
import io.krypton.operator.release.target.ObservedOwner.Health;
import io.krypton.operator.release.target.ObservedOwner.Installed;
import io.krypton.operator.release.target.ObservedOwner.Place;
import io.krypton.operator.release.target.ObservedOwner.Readiness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Function;

/** The Tenants of one engaged cluster, and what is needed to roll them out there. */
public record TenantCluster(
    SecretRef secret,
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

  /** A Tenant and its release, as the caches show them. */
  ObservedOwner observe(Tenant tenant) {
    var metadata = tenant.getMetadata();
    var spec = tenant.getSpec();
    var release = ReleaseName.ofTenant(metadata.getName(), name());
    return new ObservedOwner(
        ownerOf(tenant),
        new Place(name(), secret, true),
        Objects.requireNonNullElse(metadata.getLabels(), Map.of()),
        new ClassChoice(
            spec.classOrDefault(),
            spec.pin(),
            Objects.requireNonNullElse(metadata.getAnnotations(), Map.<String, String>of())
                .get(Annotations.PROMOTE)),
        spec.suspend(),
        metadata.getDeletionTimestamp() != null,
        Installed.of(target.cachedHistory(workspaceOf(tenant), release)),
        health(tenant));
  }

  private Health health(Tenant tenant) {
    var status = tenant.getStatus();
    var ready =
        ConditionList.find(status.conditions(), TenantConditionTypes.clusterReady(name()))
            .orElse(null);
    var error =
        ConditionList.find(status.conditions(), TenantConditionTypes.clusterError(name()))
            .filter(it -> it.status() == ConditionStatus.TRUE)
            .orElse(null);
    var isReady = ready != null && ready.status() == ConditionStatus.TRUE && error == null;
    var isStalled = ConditionList.isTrue(status.conditions(), RolloutConditionTypes.STALLED);
    var worst = error == null ? ready : error;
    return new Health(
        Release.revisionOn(name(), status.releases()),
        Release.chartVersionOn(name(), status.releases()),
        Objects.equals(status.observedGeneration(), tenant.getMetadata().getGeneration()),
        isReady
            ? Readiness.READY
            : isStalled
                ? Readiness.STALLED
                : error == null ? Readiness.PROGRESSING : Readiness.FAILING,
        isReady || worst == null ? "" : worst.reason(),
        isReady || worst == null ? null : worst.lastTransitionTime());
  }

  /** All Tenants that want this namespace, whether or not this cluster is meant. */
  List<Tenant> claimants(String workspace) {
    return tenants.byIndex(BY_WORKSPACE, workspace);
  }

  /** Whether a Tenant with this UID exists. */
  boolean hasUid(String uid) {
    return !tenants.byIndex(BY_UID, uid).isEmpty();
  }

  /** The Tenant that has a better right to the workspace than this one. */
  Optional<Owner> olderClaimant(Tenant tenant) {
    var self = ownerOf(tenant);
    var workspace = workspaceOf(tenant);
    var rivals =
        claimants(workspace).stream().filter(this::isTargetedBy).map(TenantCluster::ownerOf);
    return NamespaceArbitration.olderClaimant(
        self, rivals, target.isNamespaceOwnedBy(self, workspace));
  }

  /** Whether this cluster is to roll the Tenant out. */
  boolean isTargetedBy(Tenant tenant) {
    var wanted = TenantDecision.wantedCluster(tenant);
    return wanted == null || wanted.equals(name());
  }

  /**
   * What is watched on a cluster for its Tenants. The caches outlive a try to engage: however long
   * the first list takes, it is made once.
   */
  record TenantCaches(
      InformerCache<Tenant> tenants, MetadataCache namespaces, MetadataCache releases)
      implements AutoCloseable {

    static TenantCaches started(EngagedCluster engagedCluster) {
      var name = engagedCluster.name().value();
      var client = engagedCluster.client();
      var caches =
          new TenantCaches(
              new InformerCache<>(
                  name + "/tenants",
                  client.resources(Tenant.class).inAnyNamespace(),
                  TenantCluster.indexes()),
              new MetadataCache(
                  name + "/namespaces",
                  client,
                  new MetadataSelection("", "v1", "namespaces", "", ""),
                  Map.of()),
              new MetadataCache(
                  name + "/releases",
                  client,
                  TargetCluster.allReleaseSecrets(),
                  TargetCluster.indexes()));
      caches.all().forEach(ObjectCache::start);
      return caches;
    }

    List<ObjectCache<?>> all() {
      return List.of(tenants, namespaces, releases);
    }

    /** Waits for the first list of all of them together. */
    boolean awaitSync(Duration limit) throws InterruptedException {
      try {
        synced().get(limit.toNanos(), TimeUnit.NANOSECONDS);
        return true;
      } catch (TimeoutException | ExecutionException | CancellationException notSynced) {
        return false;
      }
    }

    /** Calls once when all of it was listed; never if it is closed before. */
    void whenSynced(Runnable onSynced) {
      var _ = synced().thenRun(onSynced);
    }

    private CompletableFuture<Void> synced() {
      return CompletableFuture.allOf(
          all().stream().map(ObjectCache::synced).toArray(CompletableFuture<?>[]::new));
    }

    @Override
    public void close() {
      all().forEach(ObjectCache::close);
    }
  }
}

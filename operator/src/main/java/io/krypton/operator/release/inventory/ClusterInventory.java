// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.batch.v1.Job;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.api.Annotations;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.operator.release.ReleaseChanges;
import io.krypton.operator.release.ReleaseInspector.InspectionResult;
import io.krypton.operator.release.ReleaseInspector.Scope;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.UncheckedObject.Cause;
import io.krypton.operator.release.decide.DeployedRelease;
import io.krypton.operator.release.inventory.DriftCheck.DriftResult;
import io.krypton.operator.release.inventory.InventoryCache.Inventory;
import io.krypton.operator.release.inventory.KindDiscovery.ServedKind;
import io.krypton.operator.release.inventory.KindWatches.HelmOwner;
import io.krypton.operator.release.inventory.ManagedFields.ForeignWriteCheck;
import io.krypton.operator.release.inventory.WorkloadReadiness.Readiness;
import java.io.IOException;
import java.net.HttpURLConnection;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;

/** The objects of all releases on one cluster. */
public final class ClusterInventory implements AutoCloseable {
  private static final Duration SYNC_TIMEOUT = Duration.ofSeconds(2);
  private static final Set<Integer> WATCH_REFUSED =
      Set.of(HttpURLConnection.HTTP_FORBIDDEN, HttpURLConnection.HTTP_BAD_METHOD);

  private final KindDiscovery kinds;
  private final InventoryCache inventoryCache;
  private final KindWatches watches;
  private final LiveObjectReader objects;
  private final DriftCheck driftCheck;
  private final DriftResultCache results;
  private final ReleaseChanges changes = new ReleaseChanges();
  private final BiConsumer<String, String> onChange;

  /**
   * One for each engaged cluster.
   *
   * @param onChange called with namespace and name of a release that should be inspected
   */
  public ClusterInventory(
      String cluster, KubernetesClient client, BiConsumer<String, String> onChange) {
    this(cluster, client, onChange, InstantSource.system());
  }

  ClusterInventory(
      String cluster,
      KubernetesClient client,
      BiConsumer<String, String> onChange,
      InstantSource clock) {
    this.kinds = new KindDiscovery(client, clock);
    this.inventoryCache = new InventoryCache(kinds);
    this.watches = new KindWatches(cluster, client, this::changed);
    this.objects = new LiveObjectReader(client, kinds);
    this.driftCheck = new DriftCheck(client, objects);
    this.results = new DriftResultCache(clock);
    this.onChange = onChange;
  }

  private void changed(String namespace, String release) {
    changes.changed(namespace, release);
    onChange.accept(namespace, release);
  }

  ReleaseChanges changes() {
    return changes;
  }

  InspectionResult inspect(TargetCluster target, DeployedRelease release, Scope scope)
      throws IOException {
    var inspection = new Inspection(target, release, inventoryCache.of(target, release), scope);
    for (var ref : inspection.inventory.objects()) {
      if (scope != Scope.READINESS || WorkloadReadiness.KINDS.contains(ref.kind().name())) {
        inspectObject(ref, inspection);
      }
    }
    compareSuspects(inspection);
    return new InspectionResult(
        inspection.missing,
        inspection.changed,
        inspection.pending,
        inspection.failed,
        inspection.unchecked,
        inspection.complete);
  }

  /** One inspection of one release. */
  private static final class Inspection {
    final TargetCluster target;
    final DeployedRelease release;
    final Inventory inventory;
    final Scope scope;
    final List<String> missing = new ArrayList<>();
    final List<String> changed = new ArrayList<>();
    final List<UncheckedObject> unchecked = new ArrayList<>();
    final Map<ObjectRef, String> suspects = new HashMap<>();
    final List<String> pending = new ArrayList<>();
    final List<String> failed = new ArrayList<>();
    boolean complete = true;

    Inspection(TargetCluster target, DeployedRelease release, Inventory inventory, Scope scope) {
      this.target = target;
      this.release = release;
      this.inventory = inventory;
      this.scope = scope;
    }
  }

  private void inspectObject(ObjectRef ref, Inspection inspection) {
    var servedKind = kinds.find(ref.kind()).orElse(null);
    if (servedKind != null && isNotServed(watches.of(servedKind))) {
      watches.remove(servedKind);
      kinds.forget(ref.kind());
      servedKind = kinds.find(ref.kind()).orElse(null);
    }
    if (servedKind == null) {
      notServed(ref, "no version of the kind is", inspection);
      return;
    }
    var cache = watches.of(servedKind);
    if (mayNotBeWatched(cache)) {
      readAndInspect(ref, servedKind, inspection);
    } else if (!cache.hasSynced()) {
      inspection.complete = false;
      enqueueWhenSynced(cache, inspection.release);
    } else {
      Optional<? extends HasMetadata> live = cache.get(ref.namespace(), ref.name());
      if (live.isPresent() || isFinishedJob(ref, inspection)) {
        found(live, ref, servedKind, inspection);
      } else {
        // Before anybody repairs what a late cache has not heard of yet.
        readAndInspect(ref, servedKind, inspection);
      }
    }
  }

  private void readAndInspect(ObjectRef ref, ServedKind servedKind, Inspection inspection) {
    Optional<HasMetadata> live;
    try {
      live = objects.read(ref);
    } catch (KubernetesClientException refused) {
      report(new DriftResult.Rejected(ApiRejection.message(refused, ref)), ref, inspection);
      return;
    }
    found(live, ref, servedKind, inspection);
  }

  private static boolean isFinishedJob(ObjectRef ref, Inspection inspection) {
    return inspection.inventory.finishedJobs().containsKey(ref);
  }

  private static boolean isNotServed(ObjectCache<?> cache) {
    return failedWith(cache, Set.of(HttpURLConnection.HTTP_NOT_FOUND));
  }

  private static boolean mayNotBeWatched(ObjectCache<?> cache) {
    return failedWith(cache, WATCH_REFUSED);
  }

  private static boolean failedWith(ObjectCache<?> cache, Set<Integer> codes) {
    return cache.failure().filter(failure -> codes.contains(failure.code())).isPresent();
  }

  /** A refused watch never syncs and reports nothing, so the release is enqueued soon anyway. */
  private void enqueueWhenSynced(ObjectCache<?> cache, DeployedRelease release) {
    var _ =
        cache
            .synced()
            .copy()
            .orTimeout(SYNC_TIMEOUT.toMillis(), TimeUnit.MILLISECONDS)
            .whenComplete(
                (synced, late) -> {
                  if (!cache.synced().isCancelled()) {
                    changed(release.namespace(), release.name().value());
                  }
                });
  }

  private void found(
      Optional<? extends HasMetadata> live,
      ObjectRef ref,
      ServedKind servedKind,
      Inspection inspection) {
    var end = inspection.inventory.finishedJobs().get(ref);
    if (live.isPresent()) {
      inspectLive(live.get(), ref, servedKind, inspection);
    } else if (end != null) {
      report(end, inspection);
    } else if (servedKind.is(ref.kind())) {
      inspection.missing.add(ref.displayName());
    } else {
      notServed(
          ref, "it is gone, and only %s is".formatted(servedKind.kind().apiVersion()), inspection);
    }
  }

  private void inspectLive(
      HasMetadata live, ObjectRef ref, ServedKind servedKind, Inspection inspection) {
    if (!servedKind.is(ref.kind())) {
      notServed(ref, "only %s is".formatted(servedKind.kind().apiVersion()), inspection);
    } else if (inspection.scope != Scope.READINESS) {
      checkForDrift(live.getMetadata(), ref, inspection);
    }
    var readiness = WorkloadReadiness.of(live);
    if (live instanceof Job job && WorkloadReadiness.hasEnded(job)) {
      inventoryCache.recordFinishedJob(
          inspection.target, inspection.release, inspection.inventory, ref, readiness);
    }
    report(readiness, inspection);
  }

  private static void report(Readiness readiness, Inspection inspection) {
    switch (readiness) {
      case Readiness.Ready ready -> {}
      case Readiness.NotReady(var shown) -> inspection.pending.add(shown);
      case Readiness.Failed(var shown) -> inspection.failed.add(shown);
    }
  }

  /** Helm could not write it either, so there is nothing that a repair could do. */
  private static void notServed(ObjectRef ref, String instead, Inspection inspection) {
    if (inspection.scope != Scope.READINESS) {
      var why =
          "%s is no longer served by this cluster, %s; use a chart that knows the new version"
              .formatted(ref.kind().apiVersion(), instead);
      inspection.unchecked.add(
          new UncheckedObject(ref.displayName(), Cause.API_VERSION_NOT_SERVED, why));
    }
  }

  private void checkForDrift(ObjectMeta metadata, ObjectRef ref, Inspection inspection) {
    if (isOptedOut(metadata) || !ForeignWriteCheck.hasForeignWrite(metadata)) {
      return;
    }
    var version = DriftResultCache.stateKey(metadata, inspection.inventory.revisionUid());
    var known = results.get(ref, version).orElse(null);
    if (known == null || (inspection.scope == Scope.DRIFT_REPAIR && isDrift(known))) {
      inspection.suspects.put(ref, version);
    } else {
      report(known, ref, inspection);
    }
  }

  private static boolean isDrift(DriftResult driftResult) {
    return driftResult instanceof DriftResult.Drifted
        || driftResult instanceof DriftResult.ApplyBlocked;
  }

  private static void report(DriftResult driftResult, ObjectRef ref, Inspection inspection) {
    switch (driftResult) {
      case DriftResult.InSync inSync -> {}
      case DriftResult.Conflict conflict -> {}
      case DriftResult.Drifted drifted -> inspection.changed.add(ref.displayName());
      case DriftResult.ApplyBlocked applyBlocked -> inspection.changed.add(ref.displayName());
      case DriftResult.Rejected(var why) ->
          inspection.unchecked.add(
              new UncheckedObject(ref.displayName(), Cause.DRY_RUN_REFUSED, why));
    }
  }

  /** Asks the server about those objects of which nothing is known. */
  private void compareSuspects(Inspection inspection) throws IOException {
    if (inspection.suspects.isEmpty()) {
      return;
    }
    for (var object : inventoryCache.manifest(inspection.target, inspection.release).objects()) {
      var ref = inventoryCache.reference(object, inspection.release.namespace());
      var version = inspection.suspects.get(ref);
      if (version != null) {
        var compared = driftCheck.compare(ref, object);
        var driftResult =
            inspection.scope == Scope.DRIFT_REPAIR && isDrift(compared)
                ? driftCheck.reclaim(ref, object, compared)
                : compared;
        if (!(driftResult instanceof DriftResult.Conflict)) {
          results.put(ref, version, driftResult);
        }
        report(driftResult, ref, inspection);
      }
    }
  }

  List<String> ownedByOthers(TargetCluster target, DeployedRelease release) throws IOException {
    var others = new ArrayList<String>();
    for (var ref : inventoryCache.of(target, release).objects()) {
      metadata(ref)
          .flatMap(HelmOwner::of)
          .filter(owner -> !owner.isOf(release))
          .ifPresent(owner -> others.add("%s (of release %s)".formatted(ref.displayName(), owner)));
    }
    return others;
  }

  /** Empty for what is not there, and for what we may not see. */
  private Optional<ObjectMeta> metadata(ObjectRef ref) {
    var cache = kinds.find(ref.kind()).map(watches::of).orElse(null);
    if (cache == null || mayNotBeWatched(cache)) {
      return Optional.empty();
    }
    if (cache.hasSynced()) {
      return cache.get(ref.namespace(), ref.name()).map(HasMetadata::getMetadata);
    }
    try {
      return objects.read(ref).map(HasMetadata::getMetadata);
    } catch (KubernetesClientException refused) {
      if (refused.getCode() != HttpURLConnection.HTTP_FORBIDDEN) {
        throw refused;
      }
      return Optional.empty();
    }
  }

  private static boolean isOptedOut(ObjectMeta metadata) {
    return metadata.getAnnotations() != null
        && Annotations.DISABLED.equals(metadata.getAnnotations().get(Annotations.DRIFT_DETECTION));
  }

  void stored(DeployedRelease release, String manifest) {
    inventoryCache.put(release, manifest);
  }

  /** What is kept in memory of an object. */
  Optional<? extends HasMetadata> cached(ServedKind kind, String namespace, String name) {
    return watches.of(kind).get(namespace, name);
  }

  void forget(String namespace, String release) {
    inventoryCache.forget(namespace, release).map(Inventory::objects).ifPresent(results::forget);
  }

  /** Opens new connections after an outage. */
  public void reconnect() {
    watches.reconnect();
  }

  @Override
  public void close() {
    watches.close();
  }
}

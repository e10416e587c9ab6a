// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.cache.MetadataCache;
import io.krypton.multicluster.cache.MetadataSelection;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.cache.ObjectCache.ChangeListener;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.helm.HelmOperation.HelmKubeconfig;
import io.krypton.operator.release.inventory.ClusterInventory;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * What is followed on one cluster for the deployments that go there: namespaces, Helm's Secrets and
 * the objects of releases. All of it ends with the cluster.
 */
final class RegionCaches implements AutoCloseable {
  private final EngagedCluster engagedCluster;
  private final ClusterInventory objects;
  private final List<ObjectCache<?>> caches;
  private final TargetCluster target;

  /**
   * Begins to follow; returns at once.
   *
   * @param changed hears of each namespace in which something changed that may matter
   * @param synced called once when all was listed
   */
  RegionCaches(EngagedCluster engagedCluster, Consumer<String> changed, Runnable synced) {
    this.engagedCluster = engagedCluster;
    var name = engagedCluster.name().value();
    var client = engagedCluster.client();
    var namespaces =
        new MetadataCache(
            name + "/namespaces",
            client,
            new MetadataSelection("", "v1", "namespaces", "", ""),
            Map.of());
    var releases =
        new MetadataCache(
            name + "/releases", client, TargetCluster.allReleaseSecrets(), TargetCluster.indexes());
    this.objects =
        new ClusterInventory(name, client, (namespace, release) -> changed.accept(namespace));
    this.caches = List.of(namespaces, releases);
    this.target =
        new TargetCluster(name, client, () -> kubeconfigOf(engagedCluster), namespaces, releases);
    engagedCluster.own(this);
    var _ = namespaces.subscribe(notifying(changed, ObjectMeta::getName));
    var _ = releases.subscribe(notifying(changed, ObjectMeta::getNamespace));
    caches.forEach(ObjectCache::start);
    var _ =
        CompletableFuture.allOf(
                caches.stream().map(ObjectCache::synced).toArray(CompletableFuture<?>[]::new))
            .thenRun(synced);
  }

  private static ChangeListener<HasMetadata> notifying(
      Consumer<String> changed, Function<ObjectMeta, String> namespace) {
    return (before, after) -> {
      var object = after == null ? before : after;
      if (object != null) {
        changed.accept(namespace.apply(object.getMetadata()));
      }
    };
  }

  boolean isOf(EngagedCluster other) {
    return engagedCluster == other;
  }

  String clusterName() {
    return engagedCluster.name().value();
  }

  TargetCluster target() {
    return target;
  }

  ClusterInventory objects() {
    return objects;
  }

  boolean hasSynced() {
    return caches.stream().allMatch(ObjectCache::hasSynced);
  }

  /** Why something cannot be listed, if the cluster has said so. */
  Optional<ApiFailure> failure() {
    return caches.stream().flatMap(cache -> cache.failure().stream()).findFirst();
  }

  /** Opens new connections after an outage. */
  void reconnect() {
    caches.forEach(ObjectCache::reconnect);
    objects.reconnect();
  }

  @Override
  public void close() {
    objects.close();
    caches.forEach(ObjectCache::close);
  }

  private static HelmKubeconfig kubeconfigOf(EngagedCluster engagedCluster) {
    return new HelmKubeconfig(
        new String(engagedCluster.kubeconfig().toYaml(), StandardCharsets.UTF_8));
  }
}

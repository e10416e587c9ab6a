package io.krypton.operator.deployment;

import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.watch.ApiFailure;
import io.krypton.multicluster.watch.ChangeListener;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.deployed.ClusterObjects;
import io.krypton.operator.helm.Kubeconfig;
import io.krypton.operator.rollout.TargetCluster;
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
final class EdgeWatches implements AutoCloseable {
  private final Cluster cluster;
  private final ClusterObjects objects;
  private final List<ObjectCache<?>> caches;
  private final TargetCluster target;

  /**
   * Begins to follow; returns at once.
   *
   * @param changed hears of each namespace in which something changed that may matter
   * @param synced told once when all was listed
   */
  EdgeWatches(Cluster cluster, Consumer<String> changed, Runnable synced) {
    this.cluster = cluster;
    var name = cluster.name().value();
    var client = cluster.client();
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
        new ClusterObjects(name, client, (namespace, release) -> changed.accept(namespace));
    this.caches = List.of(namespaces, releases);
    this.target =
        new TargetCluster(name, client, () -> kubeconfigOf(cluster), namespaces, releases);
    cluster.own(this);
    var _ = namespaces.subscribe(telling(changed, ObjectMeta::getName));
    var _ = releases.subscribe(telling(changed, ObjectMeta::getNamespace));
    caches.forEach(ObjectCache::start);
    var _ =
        CompletableFuture.allOf(
                caches.stream().map(ObjectCache::synced).toArray(CompletableFuture<?>[]::new))
            .thenRun(synced);
  }

  private static ChangeListener<HasMetadata> telling(
      Consumer<String> changed, Function<ObjectMeta, String> namespace) {
    return (before, after) -> {
      var object = after == null ? before : after;
      if (object != null) {
        changed.accept(namespace.apply(object.getMetadata()));
      }
    };
  }

  boolean isOf(Cluster other) {
    return cluster == other;
  }

  String clusterName() {
    return cluster.name().value();
  }

  TargetCluster target() {
    return target;
  }

  ClusterObjects objects() {
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

  private static Kubeconfig kubeconfigOf(Cluster cluster) {
    return new Kubeconfig(new String(cluster.kubeconfig().toYaml(), StandardCharsets.UTF_8));
  }
}

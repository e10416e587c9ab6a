package io.krypton.operator.tenant;

import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.watch.InformerCache;
import io.krypton.multicluster.watch.MetadataCache;
import io.krypton.multicluster.watch.MetadataSelection;
import io.krypton.multicluster.watch.ObjectCache;
import io.krypton.operator.rollout.TargetCluster;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/**
 * What is followed on a cluster for its Tenants. The caches outlive a try to engage: however long
 * the first list takes, it is made once.
 */
record TenantCaches(InformerCache<Tenant> tenants, MetadataCache namespaces, MetadataCache releases)
    implements AutoCloseable {

  static TenantCaches started(Cluster cluster) {
    var name = cluster.name().value();
    var client = cluster.client();
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
  void whenSynced(Runnable told) {
    var _ = synced().thenRun(told);
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

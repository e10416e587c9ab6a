// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.krypton.api.tenant.Tenant;
import io.krypton.multicluster.cache.ObjectCache;
import io.krypton.multicluster.queue.WorkKey;
import io.krypton.operator.namespace.Owner;
import io.krypton.operator.release.target.ObservedOwner.OwnerKey;
import io.krypton.operator.release.target.OwnerSource;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The Tenants of all engaged clusters with their releases. Nothing is subscribed to before somebody
 * wants to know, which takes a TenantClass.
 */
public final class TenantOwners implements OwnerSource {
  private final Consumer<WorkKey> enqueue;
  private final Predicate<String> watches;
  private final Map<String, Followed> clusters = new HashMap<>();

  /** What the listener was told of, by cluster. */
  private final Map<String, Set<OwnerKey>> reported = new ConcurrentHashMap<>();

  private @Nullable OwnerListener listener;

  private record Followed(TenantCluster cluster, ObjectCache<PartialObjectMetadata> releases) {}

  /**
   * @param watches whether Tenants in a namespace are looked after
   */
  TenantOwners(Consumer<WorkKey> enqueue, Predicate<String> watches) {
    this.enqueue = enqueue;
    this.watches = watches;
  }

  @Override
  public synchronized void subscribe(OwnerListener newListener) {
    if (listener == null) {
      listener = newListener;
      clusters.values().forEach(followed -> follow(followed, newListener));
    }
  }

  @Override
  public void enqueue(OwnerKey key) {
    enqueue.accept(new WorkKey(key.cluster(), key.namespace(), key.name()));
  }

  synchronized void engaged(TenantCluster cluster, ObjectCache<PartialObjectMetadata> releases) {
    var followed = new Followed(cluster, releases);
    clusters.put(cluster.name(), followed);
    if (listener != null) {
      follow(followed, listener);
    }
  }

  /**
   * Its caches are closed.
   *
   * @param forGood else what was last seen counts until the cluster is engaged again
   */
  synchronized void disengaged(String cluster, boolean forGood) {
    clusters.remove(cluster);
    if (forGood && reported.remove(cluster) != null && listener != null) {
      listener.onClusterGone(cluster);
    }
  }

  private void follow(Followed followed, OwnerListener told) {
    var cluster = followed.cluster();
    var before = reported.put(cluster.name(), ConcurrentHashMap.newKeySet());
    var follower = Thread.currentThread();
    var _ =
        followed
            .releases()
            .subscribe(
                (old, now) -> {
                  // What there is already is looked up with each Tenant.
                  if (!Thread.currentThread().equals(follower)) {
                    releaseChanged(cluster, now == null ? old : now, told);
                  }
                });
    var _ =
        cluster
            .tenants()
            .subscribe(
                (old, now) ->
                    report(cluster, Objects.requireNonNull(now == null ? old : now), told));
    if (before != null) {
      var gone = new HashSet<>(before);
      gone.removeAll(reported.getOrDefault(cluster.name(), Set.of()));
      gone.forEach(told::onGone);
    }
  }

  private void releaseChanged(
      TenantCluster cluster, @Nullable PartialObjectMetadata secret, OwnerListener told) {
    if (secret != null) {
      cluster
          .claimants(secret.getMetadata().getNamespace())
          .forEach(tenant -> report(cluster, tenant, told));
    }
  }

  /** As it is now: two watches tell of it, and the later one must not be overtaken. */
  private void report(TenantCluster cluster, Tenant changed, OwnerListener told) {
    var keys = reported.get(cluster.name());
    var metadata = changed.getMetadata();
    if (keys == null || !watches.test(metadata.getNamespace())) {
      return;
    }
    synchronized (keys) {
      var present =
          cluster
              .tenants()
              .get(metadata.getNamespace(), metadata.getName())
              .filter(cluster::isTargetedBy);
      if (present.isPresent()) {
        var observed = cluster.observe(present.get());
        keys.add(observed.key());
        told.onObserved(observed);
        return;
      }
      var key =
          new OwnerKey(
              Owner.Kind.TENANT, cluster.name(), metadata.getNamespace(), metadata.getName());
      if (keys.remove(key)) {
        told.onGone(key);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.multicluster.cluster.ClusterState;
import io.krypton.multicluster.cluster.EngagedCluster;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.provider.ClusterProvider;
import io.krypton.operator.deployment.RegionRouting.KubeconfigRef;
import io.krypton.operator.release.TargetCluster;
import io.krypton.operator.release.inventory.InventoryInspector;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The clusters that deployments go to. One is engaged while some deployment refers to its Secret,
 * and followed from the first time that somebody wants to work on it.
 */
public final class RegionClusters {
  private final ClusterRegistry registry;
  private final ClusterProvider discovery;
  private final InventoryInspector deployed;
  private final RegionRouting regionRouting;

  /** Changed under the lock, read without it by those whom a cache calls. */
  private final Map<SecretRef, RegionCaches> watched = new ConcurrentHashMap<>();

  private final Set<String> watchedNames = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<KubeconfigRef>> held = new HashMap<>();

  /** How many deployments refer to each Secret. */
  private final Map<SecretRef, Integer> holders = new HashMap<>();

  /** The same by the names of the clusters. */
  private final Set<String> heldNames = ConcurrentHashMap.newKeySet();

  /** Hears what may concern deployments. */
  interface RegionListener {
    /** All that refer to this Secret. */
    void enqueueReferring(SecretRef secret);

    /** All that claim this namespace on the cluster of this Secret. */
    void enqueueClaimants(SecretRef secret, String namespace);
  }

  public RegionClusters(
      ClusterRegistry registry,
      ClusterProvider discovery,
      InventoryInspector deployed,
      RegionRouting regionRouting) {
    this.registry = registry;
    this.discovery = discovery;
    this.deployed = deployed;
    this.regionRouting = regionRouting;
  }

  /** Calls when it is known that the Secret of some target does not exist. */
  void onMissing(Consumer<SecretRef> listener) {
    discovery.onMissing(listener);
  }

  /** From now on the holder refers to these and to no others. */
  synchronized void hold(String holder, Set<KubeconfigRef> wanted) {
    var before = held.getOrDefault(holder, Set.of());
    if (before.equals(wanted)) {
      return;
    }
    var now = new HashSet<>(before);
    now.retainAll(wanted);
    var kept = secretsOf(now);
    for (var secret : secretsOf(before)) {
      if (!kept.contains(secret)) {
        release(holder, secret);
      }
    }
    for (var kubeconfigRef : wanted) {
      if (!now.contains(kubeconfigRef)
          && discovery.engage(kubeconfigRef.secret(), kubeconfigRef.key(), holder)) {
        now.add(kubeconfigRef);
        if (kept.add(kubeconfigRef.secret())) {
          holders.merge(kubeconfigRef.secret(), 1, Integer::sum);
          heldNames.add(regionRouting.clusterOf(kubeconfigRef).value());
        }
      }
    }
    if (now.isEmpty()) {
      held.remove(holder);
    } else {
      held.put(holder, now);
    }
  }

  private static Set<SecretRef> secretsOf(Set<KubeconfigRef> targets) {
    var secrets = new HashSet<SecretRef>();
    targets.forEach(kubeconfigRef -> secrets.add(kubeconfigRef.secret()));
    return secrets;
  }

  private void release(String holder, SecretRef secret) {
    discovery.release(secret, holder);
    int others = holders.getOrDefault(secret, 1) - 1;
    if (others > 0) {
      holders.put(secret, others);
      return;
    }
    holders.remove(secret);
    heldNames.remove(regionRouting.clusterOf(secret).value());
    var watches = watched.remove(secret);
    if (watches != null) {
      watchedNames.remove(watches.clusterName());
      // Its cluster may stay engaged for others.
      deployed.disengaged(watches.clusterName());
      watches.close();
    }
  }

  /** How the cluster of a target is doing, which the holder must {@link #hold}. */
  Availability availability(
      String holder, KubeconfigRef kubeconfigRef, RegionListener regionListener) {
    synchronized (this) {
      if (!held.getOrDefault(holder, Set.of()).contains(kubeconfigRef)) {
        return new Availability.Unavailable(
            "Secret %s is in use with another key than %s; use one key for it"
                .formatted(kubeconfigRef.secret(), kubeconfigRef.key()));
      }
    }
    return registry
        .cluster(kubeconfigRef.secret())
        .map(snapshot -> ofKnown(snapshot, kubeconfigRef, regionListener))
        .orElseGet(() -> ofUnknown(kubeconfigRef));
  }

  /** Nobody waits for a Secret: those that refer to it are enqueued when more is known of it. */
  private Availability ofUnknown(KubeconfigRef kubeconfigRef) {
    var secret = kubeconfigRef.secret();
    return discovery.isMissing(secret)
        ? new Availability.Unavailable(
            "Secret %s does not exist on the home cluster; create it with a kubeconfig under the key %s"
                .formatted(secret, kubeconfigRef.key()))
        : new Availability.Connecting();
  }

  private Availability ofKnown(
      ClusterSnapshot snapshot, KubeconfigRef kubeconfigRef, RegionListener regionListener) {
    return switch (snapshot.state()) {
      case ClusterState.Rejected(var reason) ->
          new Availability.Unavailable("Secret %s: %s".formatted(kubeconfigRef.secret(), reason));
      case ClusterState.Unreachable unreachable ->
          new Availability.Unavailable(unreachable.failure().message());
      case ClusterState.Connecting(var attempts, var last) ->
          last == null
              ? new Availability.Connecting()
              : new Availability.Unavailable(last.message());
      case ClusterState.Disengaging disengaging -> new Availability.Connecting();
      case ClusterState.Engaged engaged ->
          registry
              .engaged(regionRouting.clusterOf(kubeconfigRef))
              .map(engagedCluster -> watch(engagedCluster, regionListener))
              .orElseGet(Availability.Connecting::new);
    };
  }

  private synchronized Availability watch(
      EngagedCluster engagedCluster, RegionListener regionListener) {
    var secret = engagedCluster.secret();
    var watches = watched.get(secret);
    if (watches == null || !watches.isOf(engagedCluster)) {
      watches =
          new RegionCaches(
              engagedCluster,
              namespace -> regionListener.enqueueClaimants(secret, namespace),
              () -> regionListener.enqueueReferring(secret));
      watched.put(secret, watches);
      watchedNames.add(watches.clusterName());
      deployed.engaged(watches.clusterName(), watches.objects());
    }
    if (watches.hasSynced()) {
      return new Availability.Available(watches.target());
    }
    return watches
        .failure()
        .<Availability>map(
            failure -> new Availability.Unavailable("it cannot be listed: " + failure.message()))
        .orElseGet(Availability.Connecting::new);
  }

  /** The cluster of a Secret, if all that is needed of it is in caches. */
  Optional<TargetCluster> watchedTarget(SecretRef secret) {
    return Optional.ofNullable(watched.get(secret))
        .filter(RegionCaches::hasSynced)
        .map(RegionCaches::target);
  }

  /** Reconnects the caches of the cluster, if it is watched. */
  synchronized void recovered(SecretRef secret) {
    var watches = watched.get(secret);
    if (watches != null) {
      watches.reconnect();
    }
  }

  /** Removes the caches of the cluster, if it is watched. */
  synchronized void disengaged(SecretRef secret) {
    var watches = watched.remove(secret);
    if (watches != null) {
      watchedNames.remove(watches.clusterName());
      deployed.disengaged(watches.clusterName());
    }
  }

  /** Whether deployments are rolled out on the cluster of this name. */
  boolean isWatched(String cluster) {
    return watchedNames.contains(cluster);
  }

  /** Whether some deployment is to go to the cluster of this name, or was there. */
  boolean isReferenced(String cluster) {
    return heldNames.contains(cluster);
  }

  /** What is known about the cluster of a target. */
  sealed interface Availability {
    /** Engaged, and all that is needed of it is in caches. */
    record Available(TargetCluster cluster) implements Availability {}

    /** Being engaged; the caller is enqueued then. */
    record Connecting() implements Availability {}

    /** Somebody has to do something, on the cluster, its Secret or the object; or time helps. */
    record Unavailable(String message) implements Availability {}
  }
}

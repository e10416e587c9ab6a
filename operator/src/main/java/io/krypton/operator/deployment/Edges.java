package io.krypton.operator.deployment;

import io.krypton.multicluster.cluster.Cluster;
import io.krypton.multicluster.cluster.ClusterEvent;
import io.krypton.multicluster.cluster.ClusterRegistry;
import io.krypton.multicluster.cluster.ClusterSnapshot;
import io.krypton.multicluster.cluster.ClusterState;
import io.krypton.multicluster.cluster.SecretRef;
import io.krypton.multicluster.cluster.discovery.ClusterDiscovery;
import io.krypton.operator.deployed.DeployedObjects;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * The clusters that deployments go to. One is engaged while some deployment refers to its Secret,
 * and followed from the first time that somebody wants to work on it.
 */
public final class Edges {
  private final ClusterRegistry registry;
  private final ClusterDiscovery discovery;
  private final DeployedObjects deployed;
  private final Routing routing;
  private final Map<SecretRef, EdgeWatches> followed = new HashMap<>();
  private final Map<String, Set<Target>> held = new HashMap<>();

  /** Hears what may concern deployments. */
  interface Waking {
    /** Whoever refers to this Secret. */
    void referring(SecretRef secret);

    /** Whoever has this namespace on the cluster of this Secret. */
    void claimants(SecretRef secret, String namespace);
  }

  public Edges(
      ClusterRegistry registry,
      ClusterDiscovery discovery,
      DeployedObjects deployed,
      Routing routing) {
    this.registry = registry;
    this.discovery = discovery;
    this.deployed = deployed;
    this.routing = routing;
  }

  /** From now on the holder refers to these and to no others. */
  synchronized void hold(String holder, Set<Target> wanted) {
    var before = held.getOrDefault(holder, Set.of());
    if (before.equals(wanted)) {
      return;
    }
    var now = new HashSet<Target>();
    for (var target : before) {
      if (!wanted.contains(target)) {
        release(holder, target);
      } else {
        now.add(target);
      }
    }
    for (var target : wanted) {
      if (now.contains(target) || discovery.engage(target.secret(), target.key(), holder)) {
        now.add(target);
      }
    }
    if (now.isEmpty()) {
      held.remove(holder);
    } else {
      held.put(holder, now);
    }
  }

  private void release(String holder, Target target) {
    discovery.release(target.secret(), holder);
    var inUse =
        held.entrySet().stream()
            .filter(other -> !other.getKey().equals(holder))
            .flatMap(other -> other.getValue().stream())
            .anyMatch(other -> other.secret().equals(target.secret()));
    var watches = inUse ? null : followed.remove(target.secret());
    if (watches != null) {
      // Its cluster may stay engaged for others.
      deployed.disengaged(watches.clusterName());
      watches.close();
    }
  }

  /** How the cluster of a target is doing, which the holder must {@link #hold}. */
  Edge look(String holder, Target target, Home home, Waking waking) {
    synchronized (this) {
      if (!held.getOrDefault(holder, Set.of()).contains(target)) {
        return new Edge.Unavailable(
            "Secret %s is in use with another key than %s; use one key for it"
                .formatted(target.secret(), target.key()));
      }
    }
    var snapshot =
        registry.clusters().stream()
            .filter(cluster -> cluster.secret().equals(target.secret()))
            .findFirst();
    return snapshot.isEmpty() ? unknown(target, home) : known(snapshot.get(), target, waking);
  }

  /** Either the watch on the Secret has just begun, or there is none to be seen. */
  private static Edge unknown(Target target, Home home) {
    var secret = target.secret();
    var live =
        home.client().secrets().inNamespace(secret.namespace()).withName(secret.name()).get();
    return live == null
        ? new Edge.Unavailable(
            "Secret %s does not exist on the home cluster; create it with a kubeconfig under the key %s"
                .formatted(secret, target.key()))
        : new Edge.Opening();
  }

  private Edge known(ClusterSnapshot snapshot, Target target, Waking waking) {
    return switch (snapshot.state()) {
      case ClusterState.Rejected(var reason) ->
          new Edge.Unavailable("Secret %s: %s".formatted(target.secret(), reason));
      case ClusterState.Unreachable unreachable ->
          new Edge.Unavailable(unreachable.failure().message());
      case ClusterState.Connecting(var attempts, var last) ->
          last == null ? new Edge.Opening() : new Edge.Unavailable(last.message());
      case ClusterState.Disengaging disengaging -> new Edge.Opening();
      case ClusterState.Engaged engaged ->
          registry
              .engaged(routing.clusterOf(target))
              .map(cluster -> follow(cluster, waking))
              .orElseGet(Edge.Opening::new);
    };
  }

  private synchronized Edge follow(Cluster cluster, Waking waking) {
    var secret = cluster.secret();
    var watches = followed.get(secret);
    if (watches == null || !watches.isOf(cluster)) {
      watches =
          new EdgeWatches(
              cluster,
              namespace -> waking.claimants(secret, namespace),
              () -> waking.referring(secret));
      followed.put(secret, watches);
      deployed.engaged(watches.clusterName(), watches.objects());
    }
    if (watches.hasSynced()) {
      return new Edge.Usable(watches.target());
    }
    return watches
        .failure()
        .<Edge>map(failure -> new Edge.Unavailable("it cannot be listed: " + failure.message()))
        .orElseGet(Edge.Opening::new);
  }

  /** Follows what becomes of a cluster. */
  synchronized void on(ClusterEvent event) {
    var watches = followed.get(event.secret());
    if (watches == null) {
      return;
    }
    switch (event) {
      case ClusterEvent.Recovered recovered -> watches.reconnect();
      case ClusterEvent.Disengaged disengaged -> {
        followed.remove(event.secret());
        deployed.disengaged(watches.clusterName());
      }
      case ClusterEvent.Engaged ignored -> {}
      case ClusterEvent.Unreachable ignored -> {}
      case ClusterEvent.Rejected ignored -> {}
      case ClusterEvent.Duplicate ignored -> {}
      case ClusterEvent.StepNotice ignored -> {}
      case ClusterEvent.CredentialsExpiring ignored -> {}
    }
  }

  /** Whether deployments are rolled out on the cluster of this name. */
  synchronized boolean isFollowed(String cluster) {
    return followed.values().stream().anyMatch(watches -> watches.clusterName().equals(cluster));
  }
}

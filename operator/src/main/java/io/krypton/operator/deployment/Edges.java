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
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

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
  private final Set<String> followedNames = ConcurrentHashMap.newKeySet();
  private final Map<String, Set<Target>> held = new HashMap<>();

  /** How many deployments refer to each Secret. */
  private final Map<SecretRef, Integer> holders = new HashMap<>();

  /** The same by the names of the clusters. */
  private final Set<String> heldNames = ConcurrentHashMap.newKeySet();

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

  /** Tells when it has become known that the Secret of some target does not exist. */
  void onMissing(Consumer<SecretRef> told) {
    discovery.onMissing(told);
  }

  /** From now on the holder refers to these and to no others. */
  synchronized void hold(String holder, Set<Target> wanted) {
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
    for (var target : wanted) {
      if (!now.contains(target) && discovery.engage(target.secret(), target.key(), holder)) {
        now.add(target);
        if (kept.add(target.secret())) {
          holders.merge(target.secret(), 1, Integer::sum);
          heldNames.add(routing.clusterOf(target).value());
        }
      }
    }
    if (now.isEmpty()) {
      held.remove(holder);
    } else {
      held.put(holder, now);
    }
  }

  private static Set<SecretRef> secretsOf(Set<Target> targets) {
    var secrets = new HashSet<SecretRef>();
    targets.forEach(target -> secrets.add(target.secret()));
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
    heldNames.remove(routing.clusterOf(secret).value());
    var watches = followed.remove(secret);
    if (watches != null) {
      followedNames.remove(watches.clusterName());
      // Its cluster may stay engaged for others.
      deployed.disengaged(watches.clusterName());
      watches.close();
    }
  }

  /** How the cluster of a target is doing, which the holder must {@link #hold}. */
  Edge look(String holder, Target target, Waking waking) {
    synchronized (this) {
      if (!held.getOrDefault(holder, Set.of()).contains(target)) {
        return new Edge.Unavailable(
            "Secret %s is in use with another key than %s; use one key for it"
                .formatted(target.secret(), target.key()));
      }
    }
    return registry
        .cluster(target.secret())
        .map(snapshot -> known(snapshot, target, waking))
        .orElseGet(() -> unknown(target));
  }

  /** Nobody waits for a Secret: whoever refers to it is woken when more is known of it. */
  private Edge unknown(Target target) {
    var secret = target.secret();
    return discovery.isMissing(secret)
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
      followedNames.add(watches.clusterName());
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
        followedNames.remove(watches.clusterName());
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
  boolean isFollowed(String cluster) {
    return followedNames.contains(cluster);
  }

  /** Whether some deployment is to go to the cluster of this name, or was there. */
  boolean isHeld(String cluster) {
    return heldNames.contains(cluster);
  }
}

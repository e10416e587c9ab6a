package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.cluster.ClusterEvent.ClusterListener;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.Engagement.EngagementRules;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The clusters that are wanted, each with a thread, a client and a fate of its own. No call waits
 * for a cluster.
 */
public final class ClusterRegistry implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final String discoveryNamespace;
  private final EngagementRules rules;
  private final Map<SecretRef, ClusterSupervisor> supervisors = new HashMap<>();
  private final Map<ClusterName, ClusterSupervisor> supervisorsByName = new HashMap<>();
  private boolean closed;

  /**
   * An empty registry; nothing runs until a cluster is wanted.
   *
   * @param discoveryNamespace clusters of Secrets in it bear the bare name of their Secret
   * @param steps what must be done on a cluster, in this order, before it counts as engaged
   */
  public ClusterRegistry(
      String discoveryNamespace,
      ClientFactory clients,
      ClientSettings clientSettings,
      HealthCheckTimings healthCheckTimings,
      List<EngageStep> steps,
      ClusterListener listener,
      LiveTokens liveTokens,
      Clock clock) {
    this.discoveryNamespace = discoveryNamespace;
    this.rules =
        new EngagementRules(
            clients,
            clientSettings,
            healthCheckTimings,
            steps,
            listener,
            liveTokens,
            new ApiServerIdentities(),
            clock);
  }

  /** This Secret's cluster is wanted with this kubeconfig; another one replaces it. */
  public synchronized void engage(SecretRef secret, SecretContent content) {
    if (closed) {
      return;
    }
    var present = supervisors.get(secret);
    if (present != null) {
      present.setDesired(content);
      return;
    }
    var slot =
        new ClusterSupervisor(
            ClusterName.of(secret, discoveryNamespace), secret, rules, this::removeIfNotDesired);
    supervisors.put(secret, slot);
    supervisorsByName.put(slot.name(), slot);
    slot.setDesired(content);
    slot.start();
  }

  /** Its live token became known, or another: a cluster that refuses us is asked again at once. */
  public synchronized void probeNow(SecretRef secret) {
    var slot = supervisors.get(secret);
    if (slot != null) {
      slot.probeNow();
    }
  }

  /** This Secret's cluster is not wanted; why is asked later, on the cluster's own thread. */
  public synchronized void disengage(SecretRef secret, Supplier<DisengageReason> why) {
    var slot = supervisors.get(secret);
    if (slot != null) {
      slot.withdraw(why);
    }
  }

  /** Withdraws every cluster whose Secret is not among these. */
  public synchronized void retain(Collection<SecretRef> wanted, DisengageReason otherwise) {
    for (var entry : supervisors.entrySet()) {
      if (!wanted.contains(entry.getKey())) {
        entry.getValue().withdraw(() -> otherwise);
      }
    }
  }

  /** Every cluster that is wanted or on its way out, by name. */
  public synchronized List<ClusterSnapshot> clusters() {
    return supervisors.values().stream()
        .map(ClusterSupervisor::snapshot)
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  /** How the cluster of a Secret is doing; empty if it is not wanted. */
  public synchronized Optional<ClusterSnapshot> cluster(SecretRef secret) {
    return Optional.ofNullable(supervisors.get(secret)).map(ClusterSupervisor::snapshot);
  }

  /** Whether a cluster of this name is wanted or on its way out. */
  public boolean isKnown(ClusterName name) {
    return supervisorOf(name).isPresent();
  }

  /** A cluster that was prepared and is not on its way out; it may be unreachable just now. */
  public Optional<EngagedCluster> engaged(ClusterName name) {
    return supervisorOf(name).flatMap(ClusterSupervisor::cluster);
  }

  /** The circuit breaker of a cluster: false while requests to it make no sense. */
  public boolean isUp(ClusterName name) {
    return supervisorOf(name).map(slot -> slot.snapshot().isUp()).orElse(false);
  }

  private synchronized Optional<ClusterSupervisor> supervisorOf(ClusterName name) {
    return Optional.ofNullable(supervisorsByName.get(name));
  }

  private synchronized boolean removeIfNotDesired(ClusterSupervisor slot) {
    if (slot.isDesired()) {
      return false;
    }
    supervisors.remove(slot.snapshot().secret());
    supervisorsByName.remove(slot.name(), slot);
    return true;
  }

  /** Lets all clusters go and waits for them, but not for long. */
  @Override
  public void close() {
    List<ClusterSupervisor> ending;
    synchronized (this) {
      closed = true;
      ending = List.copyOf(supervisors.values());
      ending.forEach(slot -> slot.withdraw(() -> DisengageReason.SHUTDOWN));
    }
    long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
    try {
      for (var slot : ending) {
        slot.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Finds clusters that are one and the same: the kube-system namespace lives as long as they do.
   */
  static final class ApiServerIdentities {
    private record Claim(String uid, ClusterName name) {}

    private final Map<SecretRef, Claim> claims = new HashMap<>();

    /**
     * Another engaged cluster with the same API server. Without the right to look, none is found.
     */
    Optional<ClusterName> findDuplicate(EngagedCluster engagedCluster) {
      var uid = uidOf(engagedCluster);
      return uid == null ? Optional.empty() : claim(engagedCluster, uid);
    }

    private synchronized Optional<ClusterName> claim(EngagedCluster engagedCluster, String uid) {
      claims.put(engagedCluster.secret(), new Claim(uid, engagedCluster.name()));
      return claims.values().stream()
          .filter(claim -> claim.uid().equals(uid) && !claim.name().equals(engagedCluster.name()))
          .map(Claim::name)
          .min(ClusterName::compareTo);
    }

    synchronized void forget(SecretRef secret) {
      claims.remove(secret);
    }

    private static @Nullable String uidOf(EngagedCluster engagedCluster) {
      try {
        var namespace = engagedCluster.client().namespaces().withName("kube-system").get();
        return namespace == null ? null : namespace.getMetadata().getUid();
      } catch (KubernetesClientException e) {
        return null;
      }
    }
  }
}

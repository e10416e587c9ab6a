// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.base.crypto.Sha256;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.ClusterConnection;
import io.krypton.multicluster.cluster.ClusterEvent.DisengageReason;
import io.krypton.multicluster.cluster.Engagement.EngagementContext;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The desired clusters, each with its own thread, client and state. No call blocks on a cluster.
 */
public final class ClusterRegistry implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final String discoveryNamespace;
  private final EngagementContext context;
  private final Map<SecretRef, ClusterSupervisor> supervisors = new HashMap<>();
  private final Map<ClusterName, ClusterSupervisor> supervisorsByName = new HashMap<>();
  private boolean closed;

  /**
   * An empty registry; nothing runs before the first {@link #engage}.
   *
   * @param discoveryNamespace clusters of Secrets in this namespace are named after the Secret
   *     alone
   * @param steps run in this order before a cluster counts as engaged
   * @param listener called as a {@link ClusterEvent.ClusterListener}, see there for threads
   */
  public ClusterRegistry(
      String discoveryNamespace,
      ClientFactory clients,
      ClientSettings clientSettings,
      HealthCheckTimings healthCheckTimings,
      List<EngageStep> steps,
      Consumer<ClusterEvent> listener,
      LiveTokens liveTokens,
      Clock clock) {
    this.discoveryNamespace = discoveryNamespace;
    this.context =
        new EngagementContext(
            clients,
            clientSettings,
            healthCheckTimings,
            steps,
            listener,
            liveTokens,
            new ApiServerIdentities(),
            clock);
  }

  /** Engages the cluster of this Secret; another kubeconfig replaces the one before. */
  public synchronized void engage(SecretRef secret, SecretContent content) {
    if (closed) {
      return;
    }
    var present = supervisors.get(secret);
    if (present != null) {
      present.setDesired(content);
      return;
    }
    var supervisor =
        new ClusterSupervisor(
            ClusterName.of(secret, discoveryNamespace), secret, context, this::removeIfNotDesired);
    supervisors.put(secret, supervisor);
    supervisorsByName.put(supervisor.name(), supervisor);
    supervisor.setDesired(content);
    supervisor.start();
  }

  /** Probes the cluster at once, e.g. because its live token changed. */
  public synchronized void probeNow(SecretRef secret) {
    var supervisor = supervisors.get(secret);
    if (supervisor != null) {
      supervisor.probeNow();
    }
  }

  /**
   * Disengages the cluster of this Secret; the reason is evaluated later, on the cluster's thread.
   */
  public synchronized void disengage(SecretRef secret, Supplier<DisengageReason> why) {
    var supervisor = supervisors.get(secret);
    if (supervisor != null) {
      supervisor.withdraw(why);
    }
  }

  /** Disengages every cluster whose Secret is not among these. */
  public synchronized void retain(Collection<SecretRef> desired, DisengageReason reason) {
    for (var entry : supervisors.entrySet()) {
      if (!desired.contains(entry.getKey())) {
        entry.getValue().withdraw(() -> reason);
      }
    }
  }

  /** Every cluster, including those that are disengaging, by name. */
  public synchronized List<ClusterSnapshot> clusters() {
    return supervisors.values().stream()
        .map(ClusterSupervisor::snapshot)
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  /** The state of the cluster of a Secret; empty if the registry does not hold it. */
  public synchronized Optional<ClusterSnapshot> cluster(SecretRef secret) {
    return Optional.ofNullable(supervisors.get(secret)).map(ClusterSupervisor::snapshot);
  }

  /** Whether the registry holds a cluster of this name; it may be disengaging. */
  public boolean isKnown(ClusterName name) {
    return supervisorOf(name).isPresent();
  }

  /** A cluster that was engaged and is not disengaging; it may be unreachable just now. */
  public Optional<EngagedCluster> engaged(ClusterName name) {
    return supervisorOf(name).flatMap(ClusterSupervisor::cluster);
  }

  /** Whether the cluster is engaged and reachable; false while its circuit breaker is open. */
  public boolean isUp(ClusterName name) {
    return supervisorOf(name).map(supervisor -> supervisor.snapshot().isUp()).orElse(false);
  }

  private synchronized Optional<ClusterSupervisor> supervisorOf(ClusterName name) {
    return Optional.ofNullable(supervisorsByName.get(name));
  }

  private synchronized boolean removeIfNotDesired(ClusterSupervisor supervisor) {
    if (supervisor.isDesired()) {
      return false;
    }
    supervisors.remove(supervisor.snapshot().secret());
    supervisorsByName.remove(supervisor.name(), supervisor);
    return true;
  }

  /** Disengages all clusters and waits for them, up to a limit. */
  @Override
  public void close() {
    List<ClusterSupervisor> ending;
    synchronized (this) {
      closed = true;
      ending = List.copyOf(supervisors.values());
      ending.forEach(supervisor -> supervisor.withdraw(() -> DisengageReason.SHUTDOWN));
    }
    long deadline = System.nanoTime() + CLOSE_LIMIT.toNanos();
    try {
      for (var supervisor : ending) {
        supervisor.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** Finds Secrets that lead to the same API server, by the UID of the namespace kube-system. */
  static final class ApiServerIdentities {
    private record Claim(String uid, ClusterName name) {}

    private final Map<SecretRef, Claim> claims = new HashMap<>();

    /**
     * Another engaged cluster with the same API server; empty without the right to read
     * kube-system.
     */
    Optional<ClusterName> findDuplicate(EngagedCluster engagedCluster) {
      try {
        return ClusterConnection.clusterUid(engagedCluster.client())
            .flatMap(uid -> claim(engagedCluster, uid));
      } catch (KubernetesClientException unreadable) {
        return Optional.empty();
      }
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
  }

  /** The kubeconfig that a Secret holds, unparsed, and its hash to detect changes. */
  public static final class SecretContent {
    private final String key;
    private final byte @Nullable [] bytes;
    private final String hash;

    private SecretContent(String key, byte @Nullable [] bytes) {
      this.key = key;
      this.bytes = bytes;
      this.hash = bytes == null ? "none" : Sha256.hex(bytes);
    }

    public static SecretContent of(String key, byte @Nullable [] bytes) {
      return new SecretContent(key, bytes == null ? null : bytes.clone());
    }

    boolean equalsBytesOf(SecretContent other) {
      return hash.equals(other.hash);
    }

    ParsedKubeconfig parse() {
      return bytes == null
          ? new ParsedKubeconfig.Refused(
              "the Secret has no key " + key + "; store the kubeconfig under that key")
          : ParsedKubeconfig.parse(bytes);
    }

    @Override
    public String toString() {
      return "SecretContent[redacted]";
    }
  }
}

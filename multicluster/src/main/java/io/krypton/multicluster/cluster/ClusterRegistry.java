package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.ClientFactory;
import io.krypton.multicluster.cluster.client.ClientSettings;
import java.time.Clock;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The clusters that are wanted, each with a thread, a client and a fate of its own. No call waits
 * for a cluster.
 */
public final class ClusterRegistry implements AutoCloseable {
  private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);

  private final String discoveryNamespace;
  private final EngagementRules rules;
  private final Map<SecretRef, ClusterSlot> slots = new HashMap<>();
  private final Map<ClusterName, ClusterSlot> slotsByName = new HashMap<>();
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
      Pace pace,
      List<EngageStep> steps,
      ClusterListener listener,
      LiveTokens liveTokens,
      Clock clock) {
    this.discoveryNamespace = discoveryNamespace;
    this.rules =
        new EngagementRules(
            clients,
            clientSettings,
            pace,
            steps,
            listener,
            liveTokens,
            new ApiServerIdentities(),
            clock);
  }

  /** This Secret's cluster is wanted with this kubeconfig; another one replaces it. */
  public synchronized void want(SecretRef secret, SecretContent content) {
    if (closed) {
      return;
    }
    var present = slots.get(secret);
    if (present != null) {
      present.want(content);
      return;
    }
    var slot =
        new ClusterSlot(ClusterName.of(secret, discoveryNamespace), secret, rules, this::mayLeave);
    slots.put(secret, slot);
    slotsByName.put(slot.name(), slot);
    slot.want(content);
    slot.start();
  }

  /** Its live token became known, or another: a cluster that refuses us is asked again at once. */
  public synchronized void lookAtOnce(SecretRef secret) {
    var slot = slots.get(secret);
    if (slot != null) {
      slot.lookAtOnce();
    }
  }

  /** This Secret's cluster is not wanted; why is asked later, on the cluster's own thread. */
  public synchronized void withdraw(SecretRef secret, Supplier<DisengageReason> why) {
    var slot = slots.get(secret);
    if (slot != null) {
      slot.withdraw(why);
    }
  }

  /** Withdraws every cluster whose Secret is not among these. */
  public synchronized void retain(Collection<SecretRef> wanted, DisengageReason otherwise) {
    for (var entry : slots.entrySet()) {
      if (!wanted.contains(entry.getKey())) {
        entry.getValue().withdraw(() -> otherwise);
      }
    }
  }

  /** Every cluster that is wanted or on its way out, by name. */
  public synchronized List<ClusterSnapshot> clusters() {
    return slots.values().stream()
        .map(ClusterSlot::snapshot)
        .sorted((a, b) -> a.name().compareTo(b.name()))
        .toList();
  }

  /** How the cluster of a Secret is doing; empty if it is not wanted. */
  public synchronized Optional<ClusterSnapshot> cluster(SecretRef secret) {
    return Optional.ofNullable(slots.get(secret)).map(ClusterSlot::snapshot);
  }

  /** Whether a cluster of this name is wanted or on its way out. */
  public boolean isKnown(ClusterName name) {
    return slotOf(name).isPresent();
  }

  /** A cluster that was prepared and is not on its way out; it may be unreachable just now. */
  public Optional<Cluster> engaged(ClusterName name) {
    return slotOf(name).flatMap(ClusterSlot::cluster);
  }

  /** The circuit breaker of a cluster: false while requests to it make no sense. */
  public boolean isUp(ClusterName name) {
    return slotOf(name).map(slot -> slot.snapshot().isUp()).orElse(false);
  }

  private synchronized Optional<ClusterSlot> slotOf(ClusterName name) {
    return Optional.ofNullable(slotsByName.get(name));
  }

  private synchronized boolean mayLeave(ClusterSlot slot) {
    if (slot.isWanted()) {
      return false;
    }
    slots.remove(slot.snapshot().secret());
    slotsByName.remove(slot.name(), slot);
    return true;
  }

  /** Lets all clusters go and waits for them, but not for long. */
  @Override
  public void close() {
    List<ClusterSlot> ending;
    synchronized (this) {
      closed = true;
      ending = List.copyOf(slots.values());
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
}

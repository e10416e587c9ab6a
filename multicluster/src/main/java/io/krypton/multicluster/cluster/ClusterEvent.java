package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import java.time.Duration;
import java.time.Instant;

/** A change in the life of a cluster that somebody may want to act on or be told of. */
public sealed interface ClusterEvent {
  ClusterName name();

  SecretRef secret();

  /** Prepared and in use; {@code took} is the time since this kubeconfig was first looked at. */
  record Engaged(EngagedCluster cluster, Duration took) implements ClusterEvent {
    @Override
    public ClusterName name() {
      return cluster.name();
    }

    @Override
    public SecretRef secret() {
      return cluster.secret();
    }
  }

  /** Engaged before, out of reach for a while, and back; caches kept what they had. */
  record Recovered(EngagedCluster cluster) implements ClusterEvent {
    @Override
    public ClusterName name() {
      return cluster.name();
    }

    @Override
    public SecretRef secret() {
      return cluster.secret();
    }
  }

  /** Out of reach; {@code wasEngaged} tells whether anybody was using it. */
  record Unreachable(ClusterName name, SecretRef secret, ClusterFailure failure, boolean wasEngaged)
      implements ClusterEvent {}

  record Rejected(ClusterName name, SecretRef secret, String reason) implements ClusterEvent {}

  /** Let go; its client is closed. Only told of clusters that were engaged at some time. */
  record Disengaged(ClusterName name, SecretRef secret, DisengageReason why)
      implements ClusterEvent {}

  /** Leads to the same API server as another engaged one. */
  record Duplicate(ClusterName name, SecretRef secret, ClusterName other) implements ClusterEvent {}

  /** A step of the engagement has something to say; {@code reason} is the step's own word. */
  record StepNotice(ClusterName name, SecretRef secret, String reason, String message)
      implements ClusterEvent {}

  /** The credentials end soon, or did. */
  record CredentialsExpiring(ClusterName name, SecretRef secret, Instant expireAt)
      implements ClusterEvent {}

  /**
   * Hears of the events of clusters. The events of one cluster come in order, one at a time, on
   * that cluster's own thread; a listener that blocks holds up that cluster only, but should not.
   * Only {@link ClusterEvent.Duplicate}, which takes a request to find out, comes from another
   * thread.
   */
  @FunctionalInterface
  interface ClusterListener {
    void on(ClusterEvent event);
  }

  /** Why a cluster was let go. */
  enum DisengageReason {
    LABEL_REMOVED("its Secret no longer carries the discovery label"),
    LABEL_CHANGED("the discovery label of its Secret changed"),
    SECRET_DELETED("its Secret was deleted"),
    SECRET_TERMINATING("its Secret is being deleted"),
    NOT_LISTED("its Secret is no longer listed"),
    NO_LONGER_REFERRED_TO("no object refers to its Secret any more"),
    KUBECONFIG_CHANGED("its kubeconfig changed"),
    SHUTDOWN("the process stops");

    private final String explanation;

    DisengageReason(String explanation) {
      this.explanation = explanation;
    }

    public String explanation() {
      return explanation;
    }

    /** With another kubeconfig or label it is still the same cluster: what runs there may end. */
    public boolean willReengage() {
      return this == KUBECONFIG_CHANGED || this == LABEL_CHANGED;
    }
  }
}

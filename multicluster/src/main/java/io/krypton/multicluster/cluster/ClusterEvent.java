package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.client.Failure;
import java.time.Duration;
import java.time.Instant;

/** A change in the life of a cluster that somebody may want to act on or be told of. */
public sealed interface ClusterEvent {
  ClusterName name();

  SecretRef secret();

  /** Prepared and in use; {@code took} is the time since this kubeconfig was first looked at. */
  record Engaged(Cluster cluster, Duration took) implements ClusterEvent {
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
  record Recovered(Cluster cluster) implements ClusterEvent {
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
  record Unreachable(ClusterName name, SecretRef secret, Failure failure, boolean wasEngaged)
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
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import java.time.Duration;
import java.time.Instant;

/** A lifecycle event of a cluster. */
public sealed interface ClusterEvent {
  ClusterName name();

  SecretRef secret();

  /** Engaged and ready for use; {@code took} counts from the first probe with this kubeconfig. */
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

  /** Reachable again after {@link Unreachable}; caches kept their objects. */
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

  /** Does not answer or refuses the credentials; {@code wasEngaged} is false if it never was. */
  record Unreachable(ClusterName name, SecretRef secret, ClusterFailure failure, boolean wasEngaged)
      implements ClusterEvent {}

  /** The kubeconfig is refused. */
  record Rejected(ClusterName name, SecretRef secret, String reason) implements ClusterEvent {}

  /** Disengaged, its client is closed. Only published for clusters that were engaged before. */
  record Disengaged(ClusterName name, SecretRef secret, DisengageReason why)
      implements ClusterEvent {}

  /** Has the same API server as another engaged cluster. */
  record Duplicate(ClusterName name, SecretRef secret, ClusterName other) implements ClusterEvent {}

  /** An engage step reports something to users; {@code reason} is an event reason. */
  record StepNotice(ClusterName name, SecretRef secret, String reason, String message)
      implements ClusterEvent {}

  /** The credentials expire soon, or have expired. */
  record CredentialsExpiring(ClusterName name, SecretRef secret, Instant expireAt)
      implements ClusterEvent {}

  /**
   * Handles the events of clusters; override the methods of interest. The events of one cluster
   * come in order, one at a time, on that cluster's own thread; a listener that blocks delays that
   * cluster only, but should not. Only {@link ClusterEvent.Duplicate}, which takes a request to
   * detect, comes from another thread.
   */
  interface ClusterListener {
    /** Dispatches the event to its method. */
    default void on(ClusterEvent event) {
      switch (event) {
        case Engaged engaged -> onEngaged(engaged);
        case Recovered recovered -> onRecovered(recovered);
        case Unreachable unreachable -> onUnreachable(unreachable);
        case Rejected rejected -> onRejected(rejected);
        case Disengaged disengaged -> onDisengaged(disengaged);
        case Duplicate duplicate -> onDuplicate(duplicate);
        case StepNotice notice -> onStepNotice(notice);
        case CredentialsExpiring expiring -> onCredentialsExpiring(expiring);
      }
    }

    default void onEngaged(Engaged event) {}

    default void onRecovered(Recovered event) {}

    default void onUnreachable(Unreachable event) {}

    default void onRejected(Rejected event) {}

    default void onDisengaged(Disengaged event) {}

    default void onDuplicate(Duplicate event) {}

    default void onStepNotice(StepNotice event) {}

    default void onCredentialsExpiring(CredentialsExpiring event) {}
  }

  /** Why a cluster was disengaged. */
  enum DisengageReason {
    LABEL_REMOVED("its Secret no longer carries the discovery label"),
    LABEL_CHANGED("the discovery label of its Secret changed"),
    SECRET_DELETED("its Secret was deleted"),
    SECRET_TERMINATING("its Secret is being deleted"),
    NOT_LISTED("its Secret is no longer listed"),
    NO_LONGER_REFERENCED("no object references its Secret any more"),
    KUBECONFIG_CHANGED("its kubeconfig changed"),
    SHUTDOWN("the process is shutting down");

    private final String explanation;

    DisengageReason(String explanation) {
      this.explanation = explanation;
    }

    public String explanation() {
      return explanation;
    }

    /** Whether the same cluster is engaged again at once, so that reconciles may complete. */
    public boolean willReengage() {
      return this == KUBECONFIG_CHANGED || this == LABEL_CHANGED;
    }
  }
}

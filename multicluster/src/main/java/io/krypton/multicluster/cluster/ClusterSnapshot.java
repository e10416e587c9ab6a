// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The state of a cluster at one moment. */
public record ClusterSnapshot(
    ClusterName name,
    SecretRef secret,
    ClusterState state,
    Instant since,
    @Nullable String serverVersion,
    @Nullable Instant credentialsExpireAt) {

  /** Whether the cluster is engaged and reachable. */
  public boolean isUp() {
    return state instanceof ClusterState.Engaged;
  }

  /** The kind of the current failure, if any. */
  public Optional<String> lastError() {
    return state instanceof ClusterState.Rejected
        ? Optional.of("KUBECONFIG_REFUSED")
        : state.lastFailure().map(clusterFailure -> clusterFailure.kind().name());
  }

  /** Holds the current snapshot of one cluster; written by that cluster's thread only. */
  static final class ClusterStatusHolder {
    private final Clock clock;
    private volatile ClusterSnapshot current;

    ClusterStatusHolder(ClusterName name, SecretRef secret, Clock clock) {
      this.clock = clock;
      this.current =
          new ClusterSnapshot(name, secret, ClusterState.initial(), clock.instant(), null, null);
    }

    ClusterSnapshot snapshot() {
      return current;
    }

    ClusterState state() {
      return current.state();
    }

    /** Starts over with another kubeconfig. */
    void reset(@Nullable Instant credentialsExpireAt) {
      current =
          new ClusterSnapshot(
              current.name(),
              current.secret(),
              ClusterState.initial(),
              clock.instant(),
              null,
              credentialsExpireAt);
    }

    /** Updates the expiry of the credentials in use; they may have been renewed. */
    void updateExpiry(@Nullable Instant credentialsExpireAt) {
      current =
          new ClusterSnapshot(
              current.name(),
              current.secret(),
              current.state(),
              current.since(),
              current.serverVersion(),
              credentialsExpireAt);
    }

    /** A changed counter inside a state is not a transition. */
    void update(ClusterState state, @Nullable String serverVersion) {
      var since =
          state.getClass() == current.state().getClass() ? current.since() : clock.instant();
      current =
          new ClusterSnapshot(
              current.name(),
              current.secret(),
              state,
              since,
              serverVersion,
              current.credentialsExpireAt());
    }
  }
}

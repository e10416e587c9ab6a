package io.krypton.multicluster.cluster;

import java.time.Clock;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** What can be told about a cluster at one moment. */
public record ClusterSnapshot(
    ClusterName name,
    SecretRef secret,
    ClusterState state,
    Instant since,
    @Nullable String serverVersion,
    @Nullable Instant credentialsExpireAt) {

  /** Whether requests to it are worth a try. */
  public boolean isUp() {
    return state instanceof ClusterState.Engaged;
  }

  /** The class of the last failure that still matters, as a word. */
  public Optional<String> lastError() {
    return state instanceof ClusterState.Rejected
        ? Optional.of("KUBECONFIG_REFUSED")
        : state.lastFailure().map(clusterFailure -> clusterFailure.kind().name());
  }

  /** Shows the state of one cluster to everybody; written by that cluster's thread only. */
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

    /** Begins anew with another kubeconfig. */
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

    /** The credentials in use end then; they may have been renewed. */
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

    /** Counters inside a state may move without the state being a new one. */
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

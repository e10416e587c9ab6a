package io.krypton.multicluster.cluster;

import java.time.Clock;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** Shows the state of one cluster to everybody; written by that cluster's thread only. */
final class StateBoard {
  private final Clock clock;
  private volatile ClusterSnapshot shown;

  StateBoard(ClusterName name, SecretRef secret, Clock clock) {
    this.clock = clock;
    this.shown =
        new ClusterSnapshot(name, secret, ClusterState.initial(), clock.instant(), null, null);
  }

  ClusterSnapshot snapshot() {
    return shown;
  }

  ClusterState state() {
    return shown.state();
  }

  /** Begins anew with another kubeconfig. */
  void restart(@Nullable Instant credentialsExpireAt) {
    shown =
        new ClusterSnapshot(
            shown.name(),
            shown.secret(),
            ClusterState.initial(),
            clock.instant(),
            null,
            credentialsExpireAt);
  }

  /** The credentials in use end then; they may have been renewed. */
  void expiring(@Nullable Instant credentialsExpireAt) {
    shown =
        new ClusterSnapshot(
            shown.name(),
            shown.secret(),
            shown.state(),
            shown.since(),
            shown.serverVersion(),
            credentialsExpireAt);
  }

  /** Counters inside a state may move without the state being a new one. */
  void show(ClusterState state, @Nullable String serverVersion) {
    var since = state.getClass() == shown.state().getClass() ? shown.since() : clock.instant();
    shown =
        new ClusterSnapshot(
            shown.name(), shown.secret(), state, since, serverVersion, shown.credentialsExpireAt());
  }
}

package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import io.krypton.multicluster.cluster.client.Failure;

/** The life of a cluster as a pure function. */
final class Transitions {
  /** Unanswered probes in a row that make an engaged cluster unreachable. */
  static final int TOLERATED_PROBES = 3;

  private Transitions() {}

  static ClusterState next(ClusterState state, Signal signal) {
    if (signal instanceof Signal.Withdrawn) {
      return new Disengaging();
    }
    return switch (state) {
      case Connecting connecting -> connecting(connecting, signal);
      case Engaged engaged -> engaged(engaged, signal);
      case Unreachable unreachable -> unreachable(unreachable, signal);
      case Rejected rejected -> rejected;
      case Disengaging disengaging -> disengaging;
    };
  }

  private static ClusterState connecting(Connecting state, Signal signal) {
    return switch (signal) {
      case Signal.KubeconfigRefused(var reason) -> new Rejected(reason);
      case Signal.Unanswered(var failure) -> new Unreachable(failure, false, 0, state.attempts());
      case Signal.PreparationFailed(var failure) ->
          new Unreachable(failure, false, 0, state.attempts() + 1);
      case Signal.NotPrepared(var failure) -> new Connecting(state.attempts() + 1, failure);
      case Signal.Prepared prepared -> new Engaged(0, null);
      case Signal.Answered answered -> state;
      case Signal.Withdrawn withdrawn -> new Disengaging();
    };
  }

  private static ClusterState engaged(Engaged state, Signal signal) {
    return switch (signal) {
      case Signal.Answered answered -> new Engaged(0, null);
      case Signal.Unanswered(var failure) -> {
        int failed = state.failedProbes() + 1;
        boolean given = failure.kind() == Failure.Kind.CREDENTIALS_REFUSED;
        yield given || failed >= TOLERATED_PROBES
            ? new Unreachable(failure, true, 0, 0)
            : new Engaged(failed, failure);
      }
      case Signal.KubeconfigRefused ignored -> state;
      case Signal.PreparationFailed ignored -> state;
      case Signal.NotPrepared ignored -> state;
      case Signal.Prepared ignored -> state;
      case Signal.Withdrawn withdrawn -> new Disengaging();
    };
  }

  private static ClusterState unreachable(Unreachable state, Signal signal) {
    return switch (signal) {
      case Signal.Answered answered ->
          state.wasEngaged()
              ? new Engaged(0, null)
              : new Connecting(state.attempts(), state.failure());
      case Signal.Unanswered(var failure) ->
          new Unreachable(failure, state.wasEngaged(), state.probes() + 1, state.attempts());
      case Signal.KubeconfigRefused ignored -> state;
      case Signal.PreparationFailed ignored -> state;
      case Signal.NotPrepared ignored -> state;
      case Signal.Prepared ignored -> state;
      case Signal.Withdrawn withdrawn -> new Disengaging();
    };
  }
}

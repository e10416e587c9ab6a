// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;

/** The state machine of a cluster, as a pure function. */
final class ClusterStateMachine {
  /** Failed probes in a row that make an engaged cluster unreachable. */
  static final int FAILURE_THRESHOLD = 3;

  private ClusterStateMachine() {}

  static ClusterState next(ClusterState state, LifecycleEvent event) {
    if (event instanceof LifecycleEvent.Withdrawn) {
      return new Disengaging();
    }
    return switch (state) {
      case Connecting connecting -> connecting(connecting, event);
      case Engaged engaged -> engaged(engaged, event);
      case Unreachable unreachable -> unreachable(unreachable, event);
      case Rejected rejected -> rejected;
      case Disengaging disengaging -> disengaging;
    };
  }

  private static ClusterState connecting(Connecting state, LifecycleEvent event) {
    return switch (event) {
      case LifecycleEvent.KubeconfigRefused(var reason) -> new Rejected(reason);
      case LifecycleEvent.Unanswered(var clusterFailure) ->
          new Unreachable(clusterFailure, false, 0, state.attempts());
      case LifecycleEvent.PreparationFailed(var clusterFailure) ->
          new Unreachable(clusterFailure, false, 0, state.attempts() + 1);
      case LifecycleEvent.NotPrepared(var clusterFailure) ->
          new Connecting(state.attempts() + 1, clusterFailure);
      case LifecycleEvent.Prepared prepared -> new Engaged(0, null);
      case LifecycleEvent.Answered answered -> state;
      case LifecycleEvent.Withdrawn withdrawn -> new Disengaging();
    };
  }

  private static ClusterState engaged(Engaged state, LifecycleEvent event) {
    return switch (event) {
      case LifecycleEvent.Answered answered -> new Engaged(0, null);
      case LifecycleEvent.Unanswered(var clusterFailure) -> {
        int failed = state.failedProbes() + 1;
        boolean refused = clusterFailure.kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED;
        yield refused || failed >= FAILURE_THRESHOLD
            ? new Unreachable(clusterFailure, true, 0, 0)
            : new Engaged(failed, clusterFailure);
      }
      case LifecycleEvent.KubeconfigRefused ignored -> state;
      case LifecycleEvent.PreparationFailed ignored -> state;
      case LifecycleEvent.NotPrepared ignored -> state;
      case LifecycleEvent.Prepared ignored -> state;
      case LifecycleEvent.Withdrawn withdrawn -> new Disengaging();
    };
  }

  private static ClusterState unreachable(Unreachable state, LifecycleEvent event) {
    return switch (event) {
      case LifecycleEvent.Answered answered ->
          state.wasEngaged()
              ? new Engaged(0, null)
              : new Connecting(state.attempts(), state.failure());
      case LifecycleEvent.Unanswered(var clusterFailure) ->
          new Unreachable(clusterFailure, state.wasEngaged(), state.probes() + 1, state.attempts());
      case LifecycleEvent.KubeconfigRefused ignored -> state;
      case LifecycleEvent.PreparationFailed ignored -> state;
      case LifecycleEvent.NotPrepared ignored -> state;
      case LifecycleEvent.Prepared ignored -> state;
      case LifecycleEvent.Withdrawn withdrawn -> new Disengaging();
    };
  }

  /** Inputs of the state machine. */
  sealed interface LifecycleEvent {
    /** The policy did not accept the kubeconfig. */
    record KubeconfigRefused(String reason) implements LifecycleEvent {}

    /** GET /version was answered. */
    record Answered() implements LifecycleEvent {}

    /** GET /version was not answered, or answered with a refusal of the credentials. */
    record Unanswered(ClusterFailure failure) implements LifecycleEvent {}

    /** The cluster answered, but an engage step failed or timed out. */
    record PreparationFailed(ClusterFailure failure) implements LifecycleEvent {}

    /** The cluster answers, but an engage step is not ready yet. */
    record NotPrepared(ClusterFailure failure) implements LifecycleEvent {}

    /** All engage steps are done. */
    record Prepared() implements LifecycleEvent {}

    /** The cluster is disengaged. */
    record Withdrawn() implements LifecycleEvent {}
  }
}

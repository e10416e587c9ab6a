package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;

/** The life of a cluster as a pure function. */
final class ClusterStateMachine {
  /** Unanswered probes in a row that make an engaged cluster unreachable. */
  static final int FAILURE_THRESHOLD = 3;

  private ClusterStateMachine() {}

  static ClusterState next(ClusterState state, LifecycleEvent lifecycleEvent) {
    if (lifecycleEvent instanceof LifecycleEvent.Withdrawn) {
      return new Disengaging();
    }
    return switch (state) {
      case Connecting connecting -> connecting(connecting, lifecycleEvent);
      case Engaged engaged -> engaged(engaged, lifecycleEvent);
      case Unreachable unreachable -> unreachable(unreachable, lifecycleEvent);
      case Rejected rejected -> rejected;
      case Disengaging disengaging -> disengaging;
    };
  }

  private static ClusterState connecting(Connecting state, LifecycleEvent lifecycleEvent) {
    return switch (lifecycleEvent) {
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

  private static ClusterState engaged(Engaged state, LifecycleEvent lifecycleEvent) {
    return switch (lifecycleEvent) {
      case LifecycleEvent.Answered answered -> new Engaged(0, null);
      case LifecycleEvent.Unanswered(var clusterFailure) -> {
        int failed = state.failedProbes() + 1;
        boolean given = clusterFailure.kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED;
        yield given || failed >= FAILURE_THRESHOLD
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

  private static ClusterState unreachable(Unreachable state, LifecycleEvent lifecycleEvent) {
    return switch (lifecycleEvent) {
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

  /** What can happen to a cluster. */
  sealed interface LifecycleEvent {
    /** The policy did not accept the kubeconfig. */
    record KubeconfigRefused(String reason) implements LifecycleEvent {}

    /** GET /version was answered. */
    record Answered() implements LifecycleEvent {}

    /** GET /version was not answered, or answered with a refusal of the credentials. */
    record Unanswered(ClusterFailure failure) implements LifecycleEvent {}

    /** The cluster answered, but a step of the engagement then failed or ran out of time. */
    record PreparationFailed(ClusterFailure failure) implements LifecycleEvent {}

    /** The cluster answers, but a step of the engagement has to wait for something there. */
    record NotPrepared(ClusterFailure failure) implements LifecycleEvent {}

    /** All steps of the engagement are done. */
    record Prepared() implements LifecycleEvent {}

    /** The Secret is gone or other. */
    record Withdrawn() implements LifecycleEvent {}
  }
}

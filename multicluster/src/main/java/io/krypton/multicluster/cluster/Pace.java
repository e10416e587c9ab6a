package io.krypton.multicluster.cluster;

import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import io.krypton.multicluster.cluster.client.Failure;
import java.time.Duration;

/**
 * How often a cluster is looked at, and how long it may take to answer.
 *
 * @param liveness between two probes of a cluster that answers
 * @param doubt between two probes after an unanswered one, and first step of every back-off
 * @param recovery between two probes of a cluster that does not answer at all
 * @param probeLimit for the answer to a probe
 * @param connectLimit for the first answer of an engagement
 * @param mostWhenRefused longest pause for a cluster that refuses our credentials
 * @param mostWhenNotPrepared longest pause before a failed preparation is tried again
 */
public record Pace(
    Duration liveness,
    Duration doubt,
    Duration recovery,
    Duration probeLimit,
    Duration connectLimit,
    Duration mostWhenRefused,
    Duration mostWhenNotPrepared) {

  /**
   * From the last sign of life to {@code Unreachable} at most 30 + 5 + 5 + 3 = 43 s; from the first
   * possible answer to {@code Recovered} at most 3 + 1 = 4 s.
   */
  public static Pace standard() {
    return new Pace(
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        Duration.ofMinutes(5));
  }

  private static final Duration FOR_EVER = Duration.ofDays(3650);

  /** The pause before the next look at a cluster, counted from the start of the last one. */
  Duration untilNextLook(ClusterState state) {
    return switch (state) {
      case Connecting(int attempts, var last) ->
          attempts == 0 ? Duration.ZERO : doubling(attempts - 1, mostWhenNotPrepared);
      case Engaged(int failedProbes, var last) -> failedProbes == 0 ? liveness : doubt;
      case Unreachable unreachable -> recovery(unreachable);
      case Rejected rejected -> FOR_EVER;
      case Disengaging disengaging -> FOR_EVER;
    };
  }

  Duration limitOf(ClusterState state) {
    return state instanceof Connecting ? connectLimit : probeLimit;
  }

  /**
   * A cluster that answers nothing is asked often, so that its return is noticed at once. One that
   * refuses our credentials did answer: asking often would only fill its audit log.
   */
  private Duration recovery(Unreachable state) {
    return state.failure().kind() == Failure.Kind.CREDENTIALS_REFUSED
        ? doubling(state.probes(), mostWhenRefused)
        : recovery;
  }

  private Duration doubling(int times, Duration most) {
    var pause = doubt.multipliedBy(1L << Math.min(times, 10));
    return pause.compareTo(most) < 0 ? pause : most;
  }
}

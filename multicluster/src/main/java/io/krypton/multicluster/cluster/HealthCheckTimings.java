package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import java.time.Duration;

/**
 * How often a cluster is looked at, and how long it may take to answer.
 *
 * @param probeInterval between two probes of a cluster that answers
 * @param retryInterval between two probes after an unanswered one, and first step of every back-off
 * @param recoveryInterval between two probes of a cluster that does not answer at all
 * @param probeTimeout for the answer to a probe
 * @param connectTimeout for the first answer of an engagement
 * @param maxBackoffWhenRefused longest pause for a cluster that refuses our credentials
 * @param maxBackoffWhenNotPrepared longest pause before a failed preparation is tried again
 */
public record HealthCheckTimings(
    Duration probeInterval,
    Duration retryInterval,
    Duration recoveryInterval,
    Duration probeTimeout,
    Duration connectTimeout,
    Duration maxBackoffWhenRefused,
    Duration maxBackoffWhenNotPrepared) {

  /**
   * From the last sign of life to {@code Unreachable} at most 30 + 5 + 5 + 3 = 43 s; from the first
   * possible answer to {@code Recovered} at most 3 + 1 = 4 s.
   */
  public static HealthCheckTimings standard() {
    return new HealthCheckTimings(
        Duration.ofSeconds(30),
        Duration.ofSeconds(5),
        Duration.ofSeconds(1),
        Duration.ofSeconds(3),
        Duration.ofSeconds(5),
        Duration.ofSeconds(60),
        Duration.ofMinutes(5));
  }

  private static final Duration NEVER = Duration.ofDays(3650);

  /** The pause before the next look at a cluster, counted from the start of the last one. */
  Duration untilNextProbe(ClusterState state) {
    return switch (state) {
      case Connecting(int attempts, var last) ->
          attempts == 0 ? Duration.ZERO : doubling(attempts - 1, maxBackoffWhenNotPrepared);
      case Engaged(int failedProbes, var last) -> failedProbes == 0 ? probeInterval : retryInterval;
      case Unreachable unreachable -> recoveryInterval(unreachable);
      case Rejected rejected -> NEVER;
      case Disengaging disengaging -> NEVER;
    };
  }

  Duration timeoutFor(ClusterState state) {
    return state instanceof Connecting ? connectTimeout : probeTimeout;
  }

  /**
   * A cluster that answers nothing is asked often, so that its return is noticed at once. One that
   * refuses our credentials did answer: asking often would only fill its audit log.
   */
  private Duration recoveryInterval(Unreachable state) {
    return state.failure().kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED
        ? doubling(state.probes(), maxBackoffWhenRefused)
        : recoveryInterval;
  }

  private Duration doubling(int times, Duration most) {
    var pause = retryInterval.multipliedBy(1L << Math.min(times, 10));
    return pause.compareTo(most) < 0 ? pause : most;
  }
}

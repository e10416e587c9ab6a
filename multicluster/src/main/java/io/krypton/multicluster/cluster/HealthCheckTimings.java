// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import io.krypton.multicluster.client.ClusterFailure;
import io.krypton.multicluster.cluster.ClusterState.Connecting;
import io.krypton.multicluster.cluster.ClusterState.Disengaging;
import io.krypton.multicluster.cluster.ClusterState.Engaged;
import io.krypton.multicluster.cluster.ClusterState.Rejected;
import io.krypton.multicluster.cluster.ClusterState.Unreachable;
import java.time.Duration;

/**
 * How often a cluster is probed, and the timeouts of probes.
 *
 * @param probeInterval between two probes of a healthy cluster
 * @param retryInterval between two probes after a failed one, and the base of every back-off
 * @param recoveryInterval between two probes of a cluster that does not answer
 * @param probeTimeout of a probe
 * @param connectTimeout of the first probe of an engagement
 * @param maxBackoffWhenRefused back-off limit while the credentials are refused
 * @param maxBackoffWhenNotPrepared back-off limit of engage steps that are not ready
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
   * From the last successful probe to {@code Unreachable} at most 30 + 5 + 5 + 3 = 43 s; from the
   * first possible answer to {@code Recovered} at most 3 + 1 = 4 s.
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

  /** The time until the next probe, counted from the start of the last one. */
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
   * A cluster that does not answer is probed often, so that its recovery is noticed at once. One
   * that refuses the credentials does answer: frequent probes would only fill its audit log.
   */
  private Duration recoveryInterval(Unreachable state) {
    return state.failure().kind() == ClusterFailure.Kind.CREDENTIALS_REFUSED
        ? doubling(state.probes(), maxBackoffWhenRefused)
        : recoveryInterval;
  }

  private Duration doubling(int times, Duration limit) {
    var pause = retryInterval.multipliedBy(1L << Math.min(times, 10));
    return pause.compareTo(limit) < 0 ? pause : limit;
  }
}

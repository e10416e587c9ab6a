// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeFinding;
import java.time.Duration;

/**
 * Decides when one plugin is probed again beside the common ticks, from what its probes found. Not
 * thread-safe: the prober calls it from its loop only. Times are monotonic.
 *
 * @param <J> the assessment of the plugin by the owner of the schedule; immutable
 */
public interface ProbeSchedule<J> {
  /** Later than anything that happens. */
  Duration NEVER = Duration.ofDays(100_000);

  void observe(PluginProbeResult result);

  J assessment();

  Duration nextStatus();

  Duration nextDeep();

  /** Whether the plugin fails in a way that a direct check of its socket can see the end of. */
  boolean awaitsSocket();

  /** Separates failures that end when somebody listens on the socket from all others. */
  final class RecoverableSocketError {
    private RecoverableSocketError() {}

    static boolean matches(ProbeFinding finding) {
      return switch (finding.reason()) {
        case SOCKET_MISSING, SOCKET_REFUSED, SOCKET_DENIED, NOT_A_SOCKET -> true;
        default -> false;
      };
    }
  }
}

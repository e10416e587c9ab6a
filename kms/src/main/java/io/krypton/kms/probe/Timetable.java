package io.krypton.kms.probe;

import java.time.Duration;

/**
 * Decides when one plugin is probed again beside the common ticks, from what its probes found. Not
 * thread-safe: the prober calls it from its loop only. Times are monotonic.
 *
 * @param <J> what the owner of the timetable believes of the plugin; immutable
 */
public interface Timetable<J> {
  /** Later than anything that happens. */
  Duration NEVER = Duration.ofDays(100_000);

  void observe(ProbeResult result);

  J judgement();

  Duration nextStatus();

  Duration nextDeep();

  /** Whether the plugin fails in a way that a direct look at its socket can see the end of. */
  boolean awaitsSocket();
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.input;

import java.time.Duration;
import java.time.Instant;

/**
 * One reading of both clocks.
 *
 * @param uptime by the monotonic clock; intervals are measured with it
 * @param wall by the wall clock; only for what is written down, and for first guesses
 */
public record ClockReading(Duration uptime, Instant wall) {
  /** Half as long again as the longest time between two reconciles. */
  private static final Duration LONG = Duration.ofSeconds(90);

  /**
   * Whether so much time has passed by either clock that the process must have been paused. The
   * monotonic clock may stand still while a machine sleeps.
   */
  public boolean isLongAfter(ClockReading earlier) {
    return hasElapsed(earlier.uptime, LONG)
        || Duration.between(earlier.wall, wall).compareTo(LONG) > 0;
  }

  public Duration since(Duration earlier) {
    return uptime.minus(earlier);
  }

  /** Whether more than this has passed. */
  public boolean hasElapsed(Duration begin, Duration length) {
    return since(begin).compareTo(length) > 0;
  }
}

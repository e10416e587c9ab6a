package io.krypton.operator.kmshealth.evidence;

import java.time.Duration;
import java.time.Instant;

/**
 * One reading of both clocks.
 *
 * @param uptime by the monotonic clock; intervals are measured with it
 * @param wall by the wall clock; only for what is written down, and for first guesses
 */
public record Moment(Duration uptime, Instant wall) {

  public Duration since(Duration earlier) {
    return uptime.minus(earlier);
  }

  /** Whether more than this has passed. */
  public boolean isOver(Duration begin, Duration length) {
    return since(begin).compareTo(length) > 0;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What one process has measured since it leads; a new leader begins with {@link #EMPTY}. It holds
 * no facts about targets: who was told to update and is not seen there yet, and how long things
 * took by a clock that nobody sets.
 *
 * @param flights of targets that are in flight, or have failed there
 * @param soakingWave the wave whose soak is measured
 * @param soaked how much of it was watched
 * @param lastNanos the monotonic clock at the last decision; null before the first
 */
public record DeciderMemory(
    Map<TargetKey, Flight> flights,
    @Nullable String soakingWave,
    Duration soaked,
    @Nullable Long lastNanos) {
  public static final DeciderMemory EMPTY = new DeciderMemory(Map.of(), null, Duration.ZERO, null);

  /** The flights are not copied: the decider builds them anew each time and keeps no hold. */
  public DeciderMemory {}

  /** The time since the last decision. */
  Duration since(ClockReading reading) {
    return lastNanos == null
        ? Duration.ZERO
        : Duration.ofNanos(Math.max(0, reading.nanos - lastNanos));
  }

  /**
   * One target on its way.
   *
   * @param elapsed how long it is under way, without the time that its cluster did not answer
   * @param counting whether the time from the last decision on counts
   */
  record Flight(Duration elapsed, boolean counting) {
    static final Flight BEGUN = new Flight(Duration.ZERO, false);
  }

  /** The time of day, which may jump, and the monotonic clock, which may not. */
  public record ClockReading(Instant now, long nanos) {}
}

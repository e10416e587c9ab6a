// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects the times at which the result changes without an event; the earliest is the requeue. */
final class RequeueDeadline {
  /** Limits are passed, not reached: an age that equals its limit is still within. */
  private static final Duration PAST = Duration.ofMillis(5);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final ClockReading now;
  private Duration requeueAfter = LONGEST_PAUSE;

  RequeueDeadline(ClockReading now) {
    this.now = now;
  }

  void consider(@Nullable Duration uptime) {
    if (uptime != null) {
      var left = uptime.minus(now.uptime()).plus(PAST);
      if (left.isPositive() && left.compareTo(requeueAfter) < 0) {
        requeueAfter = left;
      }
    }
  }

  void consider(Optional<Duration> uptime) {
    uptime.ifPresent(this::consider);
  }

  Duration requeueAfter() {
    return requeueAfter;
  }
}

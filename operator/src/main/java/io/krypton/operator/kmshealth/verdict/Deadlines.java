package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.evidence.Moment;
import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Collects when something changes without anybody saying so; the earliest is the next look. */
final class Deadlines {
  /** Limits are passed, not reached: an age that equals its limit is still within. */
  private static final Duration PAST = Duration.ofMillis(5);

  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(1);

  private final Moment now;
  private Duration pause = LONGEST_PAUSE;

  Deadlines(Moment now) {
    this.now = now;
  }

  void at(@Nullable Duration uptime) {
    if (uptime != null) {
      var left = uptime.minus(now.uptime()).plus(PAST);
      if (left.isPositive() && left.compareTo(pause) < 0) {
        pause = left;
      }
    }
  }

  void at(Optional<Duration> uptime) {
    uptime.ifPresent(this::at);
  }

  Duration pause() {
    return pause;
  }
}

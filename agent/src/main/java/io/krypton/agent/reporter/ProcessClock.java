package io.krypton.agent.reporter;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Wall clock for what is written down, monotonic clock for everything that is waited for. */
final class ProcessClock {
  private final Clock wall;
  private final LongSupplier nanoTime;
  private final Instant startedAt;
  private final long startedAtNanos;

  ProcessClock(Clock wall, LongSupplier nanoTime) {
    this.wall = wall;
    this.nanoTime = nanoTime;
    this.startedAt = wall.instant();
    this.startedAtNanos = nanoTime.getAsLong();
  }

  static ProcessClock system() {
    return new ProcessClock(Clock.systemUTC(), System::nanoTime);
  }

  Instant now() {
    return wall.instant();
  }

  Instant startedAt() {
    return startedAt;
  }

  /** Since the start of the process. */
  Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - startedAtNanos);
  }
}

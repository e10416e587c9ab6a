// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter.publish;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.function.LongSupplier;

/** Wall clock for what is written down, monotonic clock for everything that is waited for. */
public final class ProcessClock {
  private final Clock wall;
  private final LongSupplier nanoTime;
  private final Instant startedAt;
  private final long startedAtNanos;

  public ProcessClock(Clock wall, LongSupplier nanoTime) {
    this.wall = wall;
    this.nanoTime = nanoTime;
    this.startedAt = wall.instant();
    this.startedAtNanos = nanoTime.getAsLong();
  }

  public static ProcessClock system() {
    return new ProcessClock(Clock.systemUTC(), System::nanoTime);
  }

  Instant now() {
    return wall.instant();
  }

  Instant startedAt() {
    return startedAt;
  }

  /** Since the start of the process. */
  public Duration elapsed() {
    return Duration.ofNanos(nanoTime.getAsLong() - startedAtNanos);
  }
}

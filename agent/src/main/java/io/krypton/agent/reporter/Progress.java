package io.krypton.agent.reporter;

import java.time.Duration;

/** When a loop last came round. */
final class Progress {
  private final ProcessClock clock;
  private volatile Duration advancedAt;

  Progress(ProcessClock clock) {
    this.clock = clock;
    this.advancedAt = clock.elapsed();
  }

  void advance() {
    advancedAt = clock.elapsed();
  }

  boolean isWithin(Duration limit) {
    return clock.elapsed().minus(advancedAt).compareTo(limit) <= 0;
  }
}

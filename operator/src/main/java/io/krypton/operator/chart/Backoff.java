package io.krypton.operator.chart;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;

/** How long to wait after failure n: doubling up to a limit, 20 % more or less by chance. */
public record Backoff(Duration first, Duration longest, RandomGenerator random) {
  private static final double SPREAD = 0.2;

  public static Backoff standard() {
    return new Backoff(Duration.ofSeconds(5), Duration.ofMinutes(5), new Random());
  }

  public Duration afterFailure(int count) {
    var doublings = Math.min(count - 1, 30);
    var millis = Math.min(longest.toMillis(), first.toMillis() << doublings);
    return Duration.ofMillis(Math.round(millis * random.nextDouble(1 - SPREAD, 1 + SPREAD)));
  }
}

package io.krypton.multicluster.queue;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Exponential back-off with a cap and jitter. */
public record ExponentialBackoff(Duration base, double factor, Duration cap, double jitter) {
  public ExponentialBackoff {
    if (!base.isPositive() || cap.compareTo(base) < 0 || factor < 1 || jitter < 0 || jitter >= 1) {
      throw new IllegalArgumentException(
          "back-off needs 0 < base <= cap, factor >= 1, 0 <= jitter < 1:"
              + " base=%s, cap=%s, factor=%s, jitter=%s".formatted(base, cap, factor, jitter));
    }
  }

  /** 5 s, doubled up to 5 min, each spread by 20 % in both directions. */
  public static ExponentialBackoff standard() {
    return new ExponentialBackoff(Duration.ofSeconds(5), 2, Duration.ofMinutes(5), 0.2);
  }

  /** The delay after {@code failures} failures in a row, at least one. */
  public Duration delay(int failures, RandomGenerator random) {
    var nominal =
        Math.min((double) cap.toNanos(), base.toNanos() * Math.pow(factor, failures - 1.0));
    var jittered = 1 + jitter * (2 * random.nextDouble() - 1);
    return Duration.ofNanos(Math.round(nominal * jittered));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Exponential back-off: how long to wait after the n-th failure in a row.
 *
 * @param base the delay after the first failure
 * @param factor by which each delay is longer than the one before
 * @param cap the longest delay, before jitter
 * @param jitter the share by which each delay is spread in both directions
 */
public record Backoff(Duration base, double factor, Duration cap, double jitter) {
  /** 5 s, doubled up to 5 min, spread by 20 %. */
  public static final Backoff STANDARD =
      doubling(Duration.ofSeconds(5), Duration.ofMinutes(5)).withJitter(0.2);

  public Backoff {
    if (!base.isPositive() || cap.compareTo(base) < 0 || !(factor >= 1) || !isShare(jitter)) {
      throw new IllegalArgumentException(
          "back-off needs 0 < base <= cap, factor >= 1, 0 <= jitter < 1:"
              + " base=%s, cap=%s, factor=%s, jitter=%s".formatted(base, cap, factor, jitter));
    }
  }

  /** Doubles with each failure, without jitter. */
  public static Backoff doubling(Duration base, Duration cap) {
    return new Backoff(base, 2, cap, 0);
  }

  public Backoff withJitter(double share) {
    return new Backoff(base, factor, cap, share);
  }

  /** The delay after so many failures in a row, without jitter. */
  public Duration delay(int failures) {
    if (failures < 1) {
      throw new IllegalArgumentException("there is no delay before the first failure: " + failures);
    }
    var nanos = Math.min((double) cap.toNanos(), base.toNanos() * Math.pow(factor, failures - 1.0));
    return Duration.ofNanos(Math.round(nanos));
  }

  /** The delay after so many failures in a row, at least one. */
  public Duration delay(int failures, RandomGenerator random) {
    return new Jitter(random).around(delay(failures), jitter);
  }

  private static boolean isShare(double jitter) {
    return jitter >= 0 && jitter < 1;
  }
}

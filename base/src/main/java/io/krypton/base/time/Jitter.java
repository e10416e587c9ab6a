// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.time;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Spreads intervals, so that many processes do not act in step. */
public record Jitter(RandomGenerator random) {
  /** The time, or up to the given share more. */
  public Duration longer(Duration time, double share) {
    return scaled(time, 1 + checked(share) * random.nextDouble());
  }

  /** The time, up to the given share less or more. */
  public Duration around(Duration time, double share) {
    return scaled(time, 1 + checked(share) * (2 * random.nextDouble() - 1));
  }

  private static double checked(double share) {
    if (!(share >= 0 && share <= 1)) {
      throw new IllegalArgumentException("jitter needs 0 <= share <= 1: " + share);
    }
    return share;
  }

  private static Duration scaled(Duration time, double factor) {
    return Duration.ofNanos(Math.round(time.toNanos() * factor));
  }
}

package io.krypton.kms.probe;

import java.time.Duration;
import java.util.random.RandomGenerator;

/** Spreads intervals, so that the nodes of a cluster do not probe in step. */
record Jitter(RandomGenerator random) {

  /** The time, or up to the given share more. */
  Duration longer(Duration time, double share) {
    return times(time, 1 + share * random.nextDouble());
  }

  /** The time, up to the given share less or more. */
  Duration around(Duration time, double share) {
    return times(time, 1 - share + 2 * share * random.nextDouble());
  }

  private static Duration times(Duration time, double factor) {
    return Duration.ofNanos(Math.round(time.toNanos() * factor));
  }
}

package io.krypton.multicluster.leader;

import java.time.Duration;

/**
 * How long a lease lasts for others, how long its holder works without having renewed it, and how
 * often it tries.
 */
public record LeaseTimings(Duration leaseDuration, Duration renewDeadline, Duration retryPeriod) {
  public LeaseTimings {
    if (!retryPeriod.isPositive()
        || renewDeadline.compareTo(retryPeriod) <= 0
        || leaseDuration.compareTo(renewDeadline) <= 0) {
      throw new IllegalArgumentException(
          "leader election needs 0 < retry period < renew deadline < lease duration: %s, %s, %s"
              .formatted(retryPeriod, renewDeadline, leaseDuration));
    }
  }

  public static LeaseTimings standard() {
    return new LeaseTimings(Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2));
  }

  /** What is left for runs to end between the holder's deadline and the next holder's start. */
  public Duration handoverGap() {
    return leaseDuration.minus(renewDeadline);
  }
}

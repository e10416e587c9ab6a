// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import java.time.Duration;

/** Lease duration, renew deadline and retry period, as in client-go. */
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

  /** Time for reconciles to end between the renew deadline and the start of the next leader. */
  public Duration handoverGap() {
    return leaseDuration.minus(renewDeadline);
  }
}

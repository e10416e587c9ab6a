package io.krypton.multicluster.cluster;

import java.time.Duration;
import java.time.Instant;

/** How urgent the end of credentials is; each level is worth one warning. */
enum ExpiryWarning {
  NONE,
  WITHIN_A_WEEK,
  WITHIN_A_DAY,
  EXPIRED;

  static ExpiryWarning at(Instant now, Instant expireAt) {
    var left = Duration.between(now, expireAt);
    if (left.isNegative() || left.isZero()) {
      return EXPIRED;
    }
    if (left.compareTo(Duration.ofDays(1)) <= 0) {
      return WITHIN_A_DAY;
    }
    return left.compareTo(Duration.ofDays(7)) <= 0 ? WITHIN_A_WEEK : NONE;
  }
}

package io.krypton.multicluster.cluster.client;

import java.util.function.LongSupplier;

/** A token bucket that hands out waiting times instead of blocking. */
final class RateLimit {
  private static final double SECOND = 1e9;

  private final double perSecond;
  private final int burst;
  private final LongSupplier nanoClock;
  private double tokens;
  private long refilledAt;

  RateLimit(double perSecond, int burst, LongSupplier nanoClock) {
    this.perSecond = perSecond;
    this.burst = burst;
    this.nanoClock = nanoClock;
    this.tokens = burst;
    this.refilledAt = nanoClock.getAsLong();
  }

  /** Takes one token, on credit if need be, and says how long its owner must wait. */
  synchronized long reserveNanos() {
    long now = nanoClock.getAsLong();
    tokens = Math.min(burst, tokens + (now - refilledAt) / SECOND * perSecond);
    refilledAt = now;
    tokens -= 1;
    return tokens >= 0 ? 0 : (long) (-tokens / perSecond * SECOND);
  }
}

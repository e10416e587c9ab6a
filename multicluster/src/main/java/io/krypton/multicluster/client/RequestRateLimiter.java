// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import java.net.URI;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/**
 * The rate limits of one cluster. Events have their own, as in Kubernetes components: half of the
 * requests of a rollout are events, and the other half must not wait for them.
 */
record RequestRateLimiter(TokenBucket events, TokenBucket others) {
  // A server may be behind a path, so only the end is matched.
  private static final Pattern EVENT = Pattern.compile("/api/v1/namespaces/[^/]+/events(/[^/]+)?$");

  TokenBucket of(URI request) {
    return EVENT.matcher(request.getPath()).find() ? events : others;
  }

  /** A token bucket that returns delays instead of blocking. */
  static final class TokenBucket {
    private static final double SECOND = 1e9;

    private final double perSecond;
    private final int burst;
    private final LongSupplier nanoClock;
    private double tokens;
    private long refilledAt;

    TokenBucket(double perSecond, int burst, LongSupplier nanoClock) {
      this.perSecond = perSecond;
      this.burst = burst;
      this.nanoClock = nanoClock;
      this.tokens = burst;
      this.refilledAt = nanoClock.getAsLong();
    }

    /** Reserves one token and returns the delay until it may be used. */
    synchronized long reserveNanos() {
      long now = nanoClock.getAsLong();
      tokens = Math.min(burst, tokens + (now - refilledAt) / SECOND * perSecond);
      refilledAt = now;
      tokens -= 1;
      return tokens >= 0 ? 0 : (long) (-tokens / perSecond * SECOND);
    }
  }
}

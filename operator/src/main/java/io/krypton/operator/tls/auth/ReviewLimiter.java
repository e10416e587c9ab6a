// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * Bounds the reviews that callers can cause: those of one peer, so that it cannot use up what all
 * have, and those of all together, which the API server has to bear.
 */
final class ReviewLimiter {
  private static final int MOST_PEERS = 1024;

  /** How many at once, and how long until one more. */
  record Rate(int burst, Duration every) {}

  private final Rate ofPeer;
  private final LongSupplier nanoTime;
  private final Bucket all;
  private final Map<String, Bucket> peers =
      new LinkedHashMap<>(16, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
          return size() > MOST_PEERS;
        }
      };

  ReviewLimiter(Rate ofPeer, Rate ofAll, LongSupplier nanoTime) {
    this.ofPeer = ofPeer;
    this.nanoTime = nanoTime;
    this.all = new Bucket(ofAll, nanoTime.getAsLong());
  }

  /** Ten a second for all, two for each peer. */
  static ReviewLimiter standard(LongSupplier nanoTime) {
    return new ReviewLimiter(
        new Rate(20, Duration.ofMillis(500)), new Rate(50, Duration.ofMillis(100)), nanoTime);
  }

  synchronized boolean tryAcquire(String peer) {
    var now = nanoTime.getAsLong();
    return peers.computeIfAbsent(peer, _ -> new Bucket(ofPeer, now)).tryTake(now)
        && all.tryTake(now);
  }

  /** A bucket of tokens that fills up again. */
  private static final class Bucket {
    private final Rate rate;
    private double tokens;
    private long at;

    Bucket(Rate rate, long now) {
      this.rate = rate;
      this.tokens = rate.burst();
      this.at = now;
    }

    boolean tryTake(long now) {
      var refilled = tokens + (double) (now - at) / rate.every().toNanos();
      tokens = Math.min(rate.burst(), refilled);
      at = now;
      if (tokens < 1) {
        return false;
      }
      tokens--;
      return true;
    }
  }
}

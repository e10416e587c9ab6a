// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.RequestRateLimiter.TokenBucket;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

class TokenBucketTest {
  private final AtomicLong now = new AtomicLong(17);
  private final TokenBucket limit = new TokenBucket(10, 3, now::get);

  @Test
  void a_burst_is_free_and_what_follows_waits_its_turn() {
    assertThat(waits(5)).containsExactly(0, 0, 0, 100, 200);
  }

  @Test
  void time_gives_tokens_back_up_to_the_burst() {
    waits(5);

    now.addAndGet(Duration.ofMinutes(1).toNanos());

    assertThat(waits(4)).containsExactly(0, 0, 0, 100);
  }

  @Test
  void a_debt_is_paid_before_anything_is_free_again() {
    waits(5);

    now.addAndGet(Duration.ofMillis(200).toNanos());

    assertThat(waits(1)).containsExactly(100);
  }

  private long[] waits(int count) {
    var waits = new long[count];
    for (int i = 0; i < count; i++) {
      waits[i] = Math.round(limit.reserveNanos() / 1e6);
    }
    return waits;
  }
}

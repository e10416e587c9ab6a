// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.event.EventQueue.EventRateLimiter;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EventRateLimiterTest {
  private static final Duration IN_BURST = Duration.ofMillis(200);
  private static final Duration WHEN_IDLE = Duration.ofMillis(20);
  private static final Duration IDLE_AFTER = Duration.ofSeconds(1);

  private final EventRateLimiter limiter =
      new EventRateLimiter(new EventRateLimiter.Rates(3, IN_BURST, WHEN_IDLE, IDLE_AFTER, 10), 0);

  private Duration pause(Duration now, Duration lastOfferAt, int waiting) {
    return Duration.ofNanos(limiter.reserve(now.toNanos(), lastOfferAt.toNanos(), waiting));
  }

  private void spendWhatGoesAtOnce() {
    for (var i = 0; i < 3; i++) {
      assertThat(pause(Duration.ZERO, Duration.ZERO, 1)).isZero();
    }
  }

  @Test
  void a_few_wait_for_nobody_and_the_next_ones_a_pause_each() {
    spendWhatGoesAtOnce();
    assertThat(pause(Duration.ZERO, Duration.ZERO, 1)).isEqualTo(IN_BURST);
    assertThat(pause(IN_BURST, IN_BURST, 1)).isEqualTo(IN_BURST);
  }

  @Test
  void what_a_burst_left_is_told_quickly_once_there_is_calm() {
    spendWhatGoesAtOnce();
    assertThat(pause(Duration.ZERO, Duration.ZERO, 5)).isEqualTo(IN_BURST);
    var calm = IN_BURST.plus(IDLE_AFTER);
    for (var i = 0; i < 3; i++) {
      assertThat(pause(calm, Duration.ZERO, 4)).isZero();
    }
    assertThat(pause(calm, Duration.ZERO, 1)).isEqualTo(WHEN_IDLE);
  }

  @Test
  void a_crowd_is_told_quickly_although_news_keeps_coming() {
    spendWhatGoesAtOnce();
    assertThat(pause(Duration.ZERO, Duration.ZERO, 10)).isEqualTo(WHEN_IDLE);
  }

  @Test
  void silence_earns_no_more_than_what_may_go_at_once() {
    var later = Duration.ofHours(1);
    for (var i = 0; i < 3; i++) {
      assertThat(pause(later, later, 1)).isZero();
    }
    assertThat(pause(later, later, 1)).isEqualTo(IN_BURST);
  }
}

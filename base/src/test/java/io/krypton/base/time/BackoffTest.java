// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class BackoffTest {
  /** In the middle of the spread. */
  private static final RandomGenerator MIDDLE = () -> 1L << 63;

  @ParameterizedTest(name = "failure {0} waits {1} s")
  @CsvSource({"1,5", "2,10", "3,20", "4,40", "5,80", "6,160", "7,300", "8,300", "2000000,300"})
  void the_delay_doubles_up_to_the_cap(int failures, long seconds) {
    assertThat(Backoff.STANDARD.delay(failures)).isEqualTo(Duration.ofSeconds(seconds));
    assertThat(Backoff.STANDARD.delay(failures, MIDDLE)).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void the_delay_is_spread_by_a_fifth_in_both_directions() {
    for (long seed = 0; seed < 20; seed++) {
      var random = new Random(seed);
      var shares =
          random
              .ints(500, 1, 12)
              .mapToDouble(
                  n ->
                      (double) Backoff.STANDARD.delay(n, random).toNanos()
                          / Backoff.STANDARD.delay(n).toNanos())
              .summaryStatistics();
      assertThat(shares.getMin()).as("seed %d", seed).isBetween(0.8, 0.85);
      assertThat(shares.getMax()).as("seed %d", seed).isBetween(1.15, 1.2);
    }
  }

  @Test
  void any_factor_is_possible() {
    var slow = new Backoff(Duration.ofSeconds(1), 1.5, Duration.ofSeconds(3), 0);

    assertThat(slow.delay(2)).isEqualTo(Duration.ofMillis(1500));
    assertThat(slow.delay(4)).isEqualTo(Duration.ofSeconds(3));
  }

  @Test
  void nonsense_is_refused_with_the_values() {
    assertThatThrownBy(() -> Backoff.doubling(Duration.ZERO, Duration.ofSeconds(1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("base=PT0S");
    assertThatThrownBy(() -> Backoff.STANDARD.withJitter(1)).hasMessageContaining("jitter=1.0");
    assertThatThrownBy(() -> Backoff.STANDARD.withJitter(Double.NaN))
        .hasMessageContaining("jitter=NaN");
    assertThatThrownBy(() -> Backoff.STANDARD.delay(0))
        .isInstanceOf(IllegalArgumentException.class);
  }
}

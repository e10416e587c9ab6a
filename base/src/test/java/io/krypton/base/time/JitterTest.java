// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.time;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class JitterTest {
  private static final Duration TIME = Duration.ofSeconds(1);

  @Test
  void a_time_becomes_longer_by_up_to_its_share() {
    var jitter = new Jitter(new Random(3));
    var spread =
        IntStream.range(0, 2_000)
            .mapToLong(_ -> jitter.longer(TIME, 0.1).toMillis())
            .summaryStatistics();

    assertThat(spread.getMin()).isBetween(1000L, 1005L);
    assertThat(spread.getMax()).isBetween(1095L, 1100L);
  }

  @Test
  void a_time_is_spread_around_itself() {
    var jitter = new Jitter(new Random(3));
    var spread =
        IntStream.range(0, 2_000)
            .mapToLong(_ -> jitter.around(TIME, 0.1).toMillis())
            .summaryStatistics();

    assertThat(spread.getMin()).isBetween(900L, 905L);
    assertThat(spread.getMax()).isBetween(1095L, 1100L);
  }

  @Test
  void no_share_can_make_a_time_negative() {
    var jitter = new Jitter(new Random(3));

    assertThatThrownBy(() -> jitter.around(TIME, 1.1)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> jitter.longer(TIME, -1)).isInstanceOf(IllegalArgumentException.class);
    assertThat(jitter.longer(TIME, 0)).isEqualTo(TIME);
  }
}

package io.krypton.multicluster.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExponentialBackoffTest {
  private static final ExponentialBackoff EXACT =
      new ExponentialBackoff(Duration.ofSeconds(5), 2, Duration.ofSeconds(300), 0);

  @ParameterizedTest(name = "failure {0} waits {1} s")
  @CsvSource({"1,5", "2,10", "3,20", "4,40", "5,80", "6,160", "7,300", "8,300", "2000000,300"})
  void the_pause_doubles_up_to_the_cap(int failures, long seconds) {
    assertThat(EXACT.delay(failures, new Random(1))).isEqualTo(Duration.ofSeconds(seconds));
  }

  @Test
  void the_pause_is_spread_by_a_fifth_in_both_directions() throws Exception {
    Seeded.runs(
        20,
        random -> {
          var pauses =
              random
                  .ints(500, 1, 12)
                  .mapToDouble(
                      n ->
                          (double) ExponentialBackoff.standard().delay(n, random).toNanos()
                              / EXACT.delay(n, random).toNanos())
                  .summaryStatistics();
          assertThat(pauses.getMin()).isBetween(0.8, 0.85);
          assertThat(pauses.getMax()).isBetween(1.15, 1.2);
        });
  }

  @Test
  void nonsense_is_refused_with_the_values() {
    assertThatThrownBy(() -> new ExponentialBackoff(Duration.ZERO, 2, Duration.ofSeconds(1), 0.2))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("base=PT0S");
  }
}

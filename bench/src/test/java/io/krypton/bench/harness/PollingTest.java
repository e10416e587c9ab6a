// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PollingTest {
  @ParameterizedTest
  @CsvSource({"0, 4", "60, 4", "1000, 50", "2000, 100", "3000, 150", "60000, 150"})
  void what_takes_longer_is_asked_for_less_often(long waited, long pause) {
    assertThat(Polling.pause(Duration.ofMillis(waited))).isEqualTo(Duration.ofMillis(pause));
  }
}

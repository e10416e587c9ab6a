// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class JsonDurationTest {
  @ParameterizedTest
  @CsvSource({
    "2m, 120000",
    "90s, 90000",
    "1m30s, 90000",
    "1.5h, 5400000",
    "500ms, 500",
    "0s, 0",
    "99999h, 359996400000"
  })
  void what_go_writes_is_read(String text, long millis) {
    assertThat(JsonDuration.parse(text)).isEqualTo(new JsonDuration(Duration.ofMillis(millis)));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "5", "m", "-1s", "1 m", "1d", "100000h", "1m30"})
  void anything_else_counts_as_not_set(String text) {
    assertThat(JsonDuration.parse(text)).isNull();
  }

  @ParameterizedTest
  @CsvSource({"2m, 2m", "90s, 1m30s", "0.25s, 250ms", "25h, 25h", "0m, 0s"})
  void it_is_written_in_the_largest_units(String text, String written) {
    assertThat(Objects.requireNonNull(JsonDuration.parse(text))).hasToString(written);
  }
}

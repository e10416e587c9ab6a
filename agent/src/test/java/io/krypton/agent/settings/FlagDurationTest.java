package io.krypton.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class FlagDurationTest {
  @ParameterizedTest
  @CsvSource({
    "0, PT0S",
    "-0, PT0S",
    "30s, PT30S",
    "500ms, PT0.5S",
    "1m30s, PT1M30S",
    "1.5h, PT1H30M",
    ".5s, PT0.5S",
    "1.s, PT1S",
    "+2s, PT2S",
    "-2s, PT-2S",
    "10us, PT0.00001S",
    "10µs, PT0.00001S",
    "7ns, PT0.000000007S",
    "1s1s, PT2S",
  })
  void reads_what_go_reads(String text, Duration expected) {
    assertThat(FlagDuration.parse(text)).contains(expected);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "-",
        "s",
        "3",
        "3x",
        "1 s",
        " 1s",
        "1s ",
        "1,5s",
        "PT1S",
        "--1s",
        ".s",
        "9999999999h"
      })
  void refuses_what_go_refuses(String text) {
    assertThat(FlagDuration.parse(text)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "PT0S, 0s",
    "PT30S, 30s",
    "PT10M, 10m",
    "PT1M30S, 1m30s",
    "PT0.5S, 500ms",
    "PT25H, 25h",
    "PT-2S, -2s",
    "PT1.25S, 1s250ms",
  })
  void writes_no_part_that_is_zero(Duration duration, String expected) {
    assertThat(FlagDuration.format(duration)).isEqualTo(expected);
    assertThat(FlagDuration.parse(expected)).contains(duration);
  }
}

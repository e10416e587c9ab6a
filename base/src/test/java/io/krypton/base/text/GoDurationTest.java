// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.text.GoDuration.Parsed;
import java.time.Duration;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoDurationTest {
  /** The numbers are those that Go gives. */
  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "-0, 0",
    "+0, 0",
    "30s, 30000000000",
    "+2s, 2000000000",
    "-2s, -2000000000",
    "500ms, 500000000",
    "1m30s, 90000000000",
    "1.5h, 5400000000000",
    ".5s, 500000000",
    "1.s, 1000000000",
    "1.s.5s, 1500000000",
    "1s1s, 2000000000",
    "10.5s4m, 250500000000",
    "10us, 10000",
    "10\u00b5s, 10000",
    "10\u03bcs, 10000",
    "7ns, 7",
    "1h2m3s4ms5us6ns, 3723004005006",
    "39h9m14.425s, 140954425000000",
    "52763797000ns, 52763797000",
    "100.00100s, 100001000000",
    "00000000000000000000000000000001s, 1000000000",
    "9007199254740993ns, 9007199254740993",
    "9223372036854775807ns, 9223372036854775807",
    "9223372036854775.807us, 9223372036854775807",
    "9223372036s854ms775us807ns, 9223372036854775807",
    "-9223372036854775808ns, -9223372036854775808",
    "-9223372036854775.808us, -9223372036854775808",
    "-2562047h47m16.854775808s, -9223372036854775808",
  })
  void the_result_is_that_of_go(String text, long nanos) {
    assertThat(GoDuration.parse(text)).contains(Duration.ofNanos(nanos));
  }

  /** Exact decimal arithmetic is a nanosecond off here. */
  @ParameterizedTest
  @CsvSource({
    "0.3333333333333333333h, 1200000000000",
    "0.100000000000000000000h, 360000000000",
    "0.830103483285477580700h, 2988372539827",
    "0.9223372036854775807s, 922337203",
    "0.9223372036854775808s, 922337203",
    "0.99999999999999999999999999s, 1000000000",
  })
  void a_long_fraction_is_rounded_as_go_does(String text, long nanos) {
    assertThat(GoDuration.parse(text)).contains(Duration.ofNanos(nanos));
  }

  @Test
  void a_fraction_of_a_million_digits_is_read_once() {
    assertThat(GoDuration.parse("0." + "5".repeat(1_000_000) + "h"))
        .contains(Duration.ofSeconds(2_000));
  }

  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '`',
      value = {
        "``, time: invalid duration \"\"",
        "-, time: invalid duration \"-\"",
        "., time: invalid duration \".\"",
        "-.s, time: invalid duration \"-.s\"",
        "s, time: invalid duration \"s\"",
        "--1s, time: invalid duration \"--1s\"",
        "` 1s`, time: invalid duration \" 1s\"",
        "3, time: missing unit in duration \"3\"",
        "1s3, time: missing unit in duration \"1s3\"",
        "1d, time: unknown unit \"d\" in duration \"1d\"",
        "1 s, time: unknown unit \" s\" in duration \"1 s\"",
        "`1s `, time: unknown unit \"s \" in duration \"1s \"",
        "`1,5s`, `time: unknown unit \",\" in duration \"1,5s\"`",
        "1\u00e4, time: unknown unit \"\\xc3\\xa4\" in duration \"1\\xc3\\xa4\"",
        "1\"s, time: unknown unit \"\\\"s\" in duration \"1\\\"s\"",
        "9223372036854775808ns, time: invalid duration \"9223372036854775808ns\"",
        "-9223372036854775809ns, time: invalid duration \"-9223372036854775809ns\"",
        "9223372036854776us, time: invalid duration \"9223372036854776us\"",
        "9223372036854775.808us, time: invalid duration \"9223372036854775.808us\"",
        "9223372036854ms775us808ns, time: invalid duration \"9223372036854ms775us808ns\"",
        "3000000h, time: invalid duration \"3000000h\"",
        "9999999999999999999999h, time: invalid duration \"9999999999999999999999h\"",
      })
  void what_go_refuses_is_refused_with_its_message(String text, String message) {
    assertThat(GoDuration.parse(text)).isEmpty();
    assertThat(GoDuration.read(text))
        .isInstanceOfSatisfying(
            Parsed.Invalid.class, it -> assertThat(it.message()).isEqualTo(message));
  }

  @Test
  void a_message_shows_no_more_than_it_may() {
    assertThat(GoDuration.read("1secret"))
        .isInstanceOfSatisfying(
            Parsed.Invalid.class,
            it ->
                assertThat(it.message(text -> "REDACTED"))
                    .isEqualTo("time: unknown unit \"REDACTED\" in duration \"REDACTED\""));
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0s, 0s",
    "1ns, 1ns, 1ns",
    "1100ns, 1.1\u00b5s, 1100ns",
    "2200us, 2.2ms, 2ms200000ns",
    "500ms, 500ms, 500ms",
    "3300ms, 3.3s, 3s300ms",
    "30s, 30s, 30s",
    "10m, 10m0s, 10m",
    "4m5.001s, 4m5.001s, 4m5s1ms",
    "5h6m7.001s, 5h6m7.001s, 5h6m7s1ms",
    "1h, 1h0m0s, 1h",
    "25h, 25h0m0s, 25h",
    "-1.5h, -1h30m0s, -1h30m",
    "9223372036854775807ns, 2562047h47m16.854775807s, 2562047h47m16s854ms775807ns",
    "-9223372036854775808ns, -2562047h47m16.854775808s, -2562047h47m16s854ms775808ns",
  })
  void a_duration_is_written_as_go_does_or_without_zero_parts(
      String text, String go, String compact) {
    var duration = GoDuration.parse(text).orElseThrow();

    assertThat(GoDuration.format(duration)).isEqualTo(go);
    assertThat(GoDuration.compact(duration)).isEqualTo(compact);
  }

  @Test
  void what_is_written_can_be_read() {
    var random = new Random(7);
    for (int i = 0; i < 10_000; i++) {
      var duration = Duration.ofNanos(random.nextLong() >> random.nextInt(64));

      assertThat(GoDuration.parse(GoDuration.format(duration))).contains(duration);
      assertThat(GoDuration.parse(GoDuration.compact(duration))).contains(duration);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"90", "90s", "1m30s"})
  void seconds_need_no_unit_where_that_is_allowed(String text) {
    assertThat(GoDuration.parseOrSeconds(text)).contains(Duration.ofSeconds(90));
    assertThat(GoDuration.parseOrSeconds("1234567890")).isEmpty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.math.BigInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

class YamlScalarTest {

  /** The same words are given to Helm itself in ChartValuesAsHelmReadsThemIT. */
  static Stream<Arguments> words() {
    return Stream.of(
        Arguments.of("yes", true),
        Arguments.of("y", true),
        Arguments.of("On", true),
        Arguments.of("no", false),
        Arguments.of("N", false),
        Arguments.of("off", false),
        Arguments.of("yEs", "yEs"),
        Arguments.of("~", null),
        Arguments.of("Null", null),
        Arguments.of("0644", 420L),
        Arguments.of("0o644", 420L),
        Arguments.of("08", 8L),
        Arguments.of("0x1F", 31L),
        Arguments.of("0b11", 3L),
        Arguments.of("-0b11", -3L),
        Arguments.of("1_000", 1000L),
        Arguments.of("+12", 12L),
        Arguments.of("22:30", "22:30"),
        Arguments.of("1e3", 1000L),
        Arguments.of("1.50", 1.5),
        Arguments.of(".5", 0.5),
        Arguments.of("1.", 1L),
        Arguments.of("-1.5e-7", -1.5e-7),
        Arguments.of("1.2.3", "1.2.3"),
        Arguments.of("1e", "1e"),
        Arguments.of("12ab", "12ab"),
        Arguments.of("-x", "-x"),
        Arguments.of("2026-01-02", "2026-01-02"),
        Arguments.of("9223372036854775807", Long.MAX_VALUE),
        Arguments.of("18446744073709551615", new BigInteger("18446744073709551615")));
  }

  @ParameterizedTest(name = "{0} is {1}")
  @MethodSource("words")
  void an_unquoted_word_means_what_it_means_to_helm(String word, @Nullable Object meaning) {
    assertThat(YamlScalar.read(word)).isEqualTo(meaning);
  }
}

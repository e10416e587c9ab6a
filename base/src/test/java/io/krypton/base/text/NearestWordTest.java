// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NearestWordTest {
  private static final List<String> WORDS =
      List.of("interval", "deep-interval", "listen", "target", "in");

  @ParameterizedTest
  @CsvSource({
    "intervall, interval",
    "intreval, interval",
    "lisen, listen",
    "deepinterval, deep-interval",
    "is, in",
  })
  void a_mistyped_word_is_found(String typed, String meant) {
    assertThat(NearestWord.to(typed, WORDS)).contains(meant);
    assertThat(NearestWord.question(typed, WORDS)).isEqualTo("; did you mean '" + meant + "'?");
  }

  @Test
  void a_word_that_nobody_can_have_meant_is_not_proposed() {
    assertThat(NearestWord.to("kubeconfig", WORDS)).isEmpty();
    assertThat(NearestWord.question("kubeconfig", WORDS)).isEmpty();
  }
}

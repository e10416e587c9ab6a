// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.MessageText.Headline;
import org.junit.jupiter.api.Test;

class MessageTextTest {
  @Test
  void a_message_of_many_lines_becomes_one() {
    assertThat(
            Headline.of(
                """
                values don't meet the specifications of the schema(s) in the following chart(s):
                echo:
                - at '/replicas': got string, want integer

                - at '/message': missing
                """))
        .isEqualTo(
            "values don't meet the specifications of the schema(s) in the following chart(s): echo:"
                + " - at '/replicas': got string, want integer; - at '/message': missing");
  }

  @Test
  void one_line_stays_as_it_is_and_a_long_one_is_cut() {
    assertThat(Headline.of("it broke")).isEqualTo("it broke");
    assertThat(Headline.of(null)).isNull();
    assertThat(Headline.of("x".repeat(1000))).hasSize(300).endsWith("x…");
  }
}

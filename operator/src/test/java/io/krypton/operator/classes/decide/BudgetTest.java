// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.IntOrString;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BudgetTest {
  @ParameterizedTest(name = "{0} of {1}")
  @CsvSource({
    "0%, 300, 0",
    "5%, 300, 15",
    "5%, 19, 0",
    "20%, 4, 0",
    "20%, 5, 1",
    "100%, 7, 7",
    "33%, 100000000, 33000000"
  })
  void a_percentage_is_rounded_down(String text, int total, int expected) {
    assertThat(Budget.of(new IntOrString(text)).of(total)).isEqualTo(expected);
  }

  @Test
  void a_number_is_the_same_for_every_wave() {
    assertThat(Budget.of(new IntOrString(3)).of(1)).isEqualTo(3);
    assertThat(Budget.of(new IntOrString(0)).of(300)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "3", "few", "101%", "-1%", "5 %", "05%"})
  void anything_else_is_refused_with_what_would_be_accepted(String text) {
    assertThatThrownBy(() -> Budget.of(new IntOrString(text)))
        .hasMessage(
            "'" + text + "' must be a number of at least 0, or a percentage from 0% to 100%");
  }

  @Test
  void a_negative_number_is_refused() {
    assertThatThrownBy(() -> Budget.of(new IntOrString(-1))).hasMessageContaining("'-1' must be");
  }

  @Test
  void it_is_shown_as_it_is_written() {
    assertThat(Budget.of(new IntOrString("5%"))).hasToString("5%");
    assertThat(Budget.of(new IntOrString(5))).hasToString("5");
  }
}

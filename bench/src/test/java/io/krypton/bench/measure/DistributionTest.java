// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.bench.measure.Figure.FigureFormat;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DistributionTest {
  @ParameterizedTest(name = "of {0} values the {1} quantile is the {2}th")
  @CsvSource({"1, 0.5, 1", "2, 0.5, 1", "3, 0.5, 2", "100, 0.99, 99", "30, 0.99, 30", "10, 0, 1"})
  void a_quantile_is_one_of_the_values(int count, double part, double expected) {
    var descending = DoubleStream.iterate(count, it -> it - 1).limit(count).boxed().toList();

    assertThat(new Distribution(descending).quantile(part)).isEqualTo(expected);
  }

  @Test
  void nothing_has_no_distribution() {
    assertThatThrownBy(() -> new Distribution(List.of()))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @ParameterizedTest(name = "{0} is shown as {1}")
  @CsvSource({"0.934, 0.93", "0.0123, 0.0123", "12.34, 12.3", "1234.5, 1235", "3, 3", "0, 0"})
  void a_number_is_shown_as_precisely_as_it_is_worth(double value, String shown) {
    assertThat(FigureFormat.number(value)).isEqualTo(shown);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RegressionTest {
  @ParameterizedTest(name = "{0} is better, {1} became {2}: worse = {3}")
  @CsvSource({
    "HIGHER, 1.00, 0.95, false",
    "HIGHER, 1.00, 0.71, false",
    "HIGHER, 1.00, 0.69, true",
    "HIGHER, 1.00, 5.00, false",
    "LOWER, 10, 12.9, false",
    "LOWER, 10, 13.1, true",
    "LOWER, 10, 1, false",
    "LOWER, 0, 0, false",
    "LOWER, 0, 0.1, true",
  })
  void a_ratio_may_get_worse_by_thirty_percent(
      Better better, double before, double now, boolean worse) {
    var comparison =
        Regression.between(
            List.of(Figure.ratio("a/b", "", before, "", better)),
            List.of(Figure.ratio("a/b", "", now, "", better)));

    assertThat(comparison.compared()).isEqualTo(1);
    assertThat(comparison.worse()).hasSize(worse ? 1 : 0);
    assertThat(comparison.isPassed()).isEqualTo(!worse);
  }

  @Test
  void absolute_figures_are_not_compared() {
    var before = List.of(Figure.of("a/time", "", 1, "s", Better.LOWER));
    var now = List.of(Figure.of("a/time", "", 100, "s", Better.LOWER));

    assertThat(Regression.between(before, now).compared()).isZero();
  }

  @Test
  void a_run_that_has_nothing_in_common_with_the_earlier_one_does_not_pass() {
    var before = List.of(Figure.ratio("a/10", "", 1, "", Better.HIGHER));
    var now = List.of(Figure.ratio("a/20", "", 1, "", Better.HIGHER));

    assertThat(Regression.between(before, now).isPassed()).isFalse();
  }

  @Test
  void what_got_worse_is_named_with_both_values() {
    var comparison =
        Regression.between(
            List.of(Figure.ratio("rollout/of-helm", "", 0.95, "", Better.HIGHER)),
            List.of(Figure.ratio("rollout/of-helm", "", 0.5, "", Better.HIGHER)));

    assertThat(comparison.worse())
        .singleElement()
        .hasToString("rollout/of-helm: 0.500, was 0.950 (more is better)");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.measure.Measurement.Parameters;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RolloutMeasurementTest {
  private static final Parameters FULL = new RolloutMeasurement().full();

  @ParameterizedTest
  @CsvSource({"400, 10, 4", "400, 100, 4", "400, 300, 1", "200, 100, 2", "200, 300, 1"})
  void enough_releases_are_not_measured_again(int enough, int tenants, int rounds) {
    var parameters = FULL.with(Parameters.of("enough=" + enough));

    assertThat(RolloutMeasurement.rounds(parameters, tenants)).isEqualTo(rounds);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {"10,100,300; 100", "10; 10", "10,20; 20"})
  void what_is_measured_once_is_measured_with_a_hundred_tenants_if_there_are(
      String sizes, int wanted) {
    var parameters = FULL.with(Parameters.of("tenants=" + sizes));

    assertThat(RolloutMeasurement.mainSize(parameters)).isEqualTo(wanted);
  }

  @Test
  void the_goals_of_all_sizes_take_less_time_than_everything() {
    var measurement = new RolloutMeasurement();

    assertThat(measurement.goals())
        .hasValueSatisfying(
            goals ->
                assertThat(measurement.expected(goals)).isLessThan(measurement.expected(FULL)));
  }
}

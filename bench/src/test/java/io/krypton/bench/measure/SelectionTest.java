// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SelectionTest {
  private static final List<Measurement> ALL =
      List.of(new Sample("small", true), new Sample("long", false));

  @Test
  void without_a_word_everything_is_measured_in_full() {
    assertThat(Selection.of(ALL, List.of()).chosen())
        .extracting(it -> it.measurement().name() + it.parameters().number("tenants"))
        .containsExactly("small100", "long100");
  }

  @Test
  void quick_leaves_out_what_takes_long() {
    assertThat(Selection.of(ALL, List.of("quick")).chosen())
        .extracting(it -> it.measurement().name() + it.parameters().number("tenants"))
        .containsExactly("small10");
  }

  @Test
  void goals_are_what_shows_whether_goals_are_reached() {
    assertThat(Selection.of(ALL, List.of("goals")).chosen())
        .extracting(it -> it.measurement().name() + it.parameters().number("tenants"))
        .containsExactly("long60");
  }

  @Test
  void parameters_belong_to_the_name_before_them() {
    var chosen =
        Selection.of(ALL, List.of("long", "tenants=1,2", "small", "clusters=7", "tenants=3"));

    assertThat(chosen.chosen())
        .extracting(
            it ->
                it.measurement().name()
                    + it.parameters().numbers("tenants")
                    + it.parameters().number("clusters"))
        .containsExactly("long[1, 2]1", "small[3]7");
  }

  @Test
  void the_time_is_known_in_advance() {
    assertThat(Selection.of(ALL, List.of("small", "tenants=5", "long")).expected())
        .isEqualTo(Duration.ofSeconds(105));
  }

  @ParameterizedTest
  @ValueSource(strings = {"large", "small tenants=many", "small nodes=1", "small tenants="})
  void a_mistake_is_told(String line) {
    assertThatThrownBy(() -> Selection.of(ALL, List.of(line.split(" "))))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private record Sample(String name, boolean hasQuick) implements Measurement {
    @Override
    public Parameters full() {
      return Parameters.of("tenants=100", "clusters=1");
    }

    @Override
    public Optional<Parameters> quick() {
      return hasQuick ? Optional.of(Parameters.of("tenants=10", "clusters=1")) : Optional.empty();
    }

    @Override
    public Optional<Parameters> goals() {
      return hasQuick ? Optional.empty() : Optional.of(Parameters.of("tenants=60", "clusters=1"));
    }

    @Override
    public Duration expected(Parameters parameters) {
      return Duration.ofSeconds(parameters.number("tenants"));
    }

    @Override
    public void run(
        BenchEnvironment benchEnvironment,
        Parameters parameters,
        MeasurementRecorder measurementRecorder) {}
  }
}

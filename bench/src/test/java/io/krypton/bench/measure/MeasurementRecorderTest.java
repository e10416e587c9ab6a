// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.measure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.bench.measure.Figure.Better;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class MeasurementRecorderTest {
  @Test
  void a_figure_is_told_at_once_and_its_id_is_its_own() {
    var told = new ArrayList<String>();
    var measurementRecorder = new MeasurementRecorder(told::add);
    measurementRecorder.add(Figure.of("life/20/time", "time", 1, "s", Better.LOWER));
    measurementRecorder.add(Figure.of("life/300/time", "time", 2, "s", Better.LOWER));
    assertThat(told).hasSize(2);

    assertThatThrownBy(
            () -> measurementRecorder.add(Figure.of("life/20/time", "time", 3, "s", Better.LOWER)))
        .hasMessageContaining("life/20/time");
    assertThat(measurementRecorder.figures()).extracting(Figure::value).containsExactly(1.0, 2.0);
  }
}

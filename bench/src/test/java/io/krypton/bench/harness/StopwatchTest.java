// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class StopwatchTest {
  @Test
  void stolen_time_is_the_average_of_all_processors() {
    var stat =
        """
        cpu  100 0 50 9000 7 0 3 600 0 0
        cpu0 50 0 25 4500 3 0 2 200 0 0
        cpu1 50 0 25 4500 4 0 1 400 0 0
        intr 12345 0 9
        """;

    assertThat(Stopwatch.stolen(stat)).isEqualTo(3);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.harness.ProcessStats.CpuTime;
import java.io.IOException;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
  @Test
  void own_time_and_that_of_ended_children_are_told_apart() {
    var stat =
        "4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 5000 90 1 2 150 50 700 300 20 0 9";

    assertThat(CpuTime.parse(stat)).isEqualTo(new CpuTime(2, 10));
  }

  @Test
  void a_living_process_has_used_some() throws IOException {
    assertThat(CpuTime.of(ProcessHandle.current().pid()).own()).isPositive();
  }
}

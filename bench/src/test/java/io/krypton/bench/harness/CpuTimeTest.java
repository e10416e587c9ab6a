// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.harness.ProcessStats.CpuTime;
import java.io.IOException;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class CpuTimeTest {
  @Test
  void own_time_and_that_of_ended_children_are_told_apart() {
    var stat =
        "4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 5000 90 1 2 150 50 700 300 20 0 9";

    assertThat(CpuTime.parse(stat)).isEqualTo(new CpuTime(2, 10));
  }

  @Test
  void a_descendant_counts_with_all_that_it_waited_for() {
    assertThat(new CpuTime(2, 10).withDescendant(new CpuTime(3, 4))).isEqualTo(new CpuTime(2, 17));
  }

  @Test
  void a_child_that_lives_counts_and_stays_counted_when_it_has_ended() throws Exception {
    var self = ProcessHandle.current();
    var before = CpuTime.ofTree(self).children();
    var child =
        new ProcessBuilder("sh", "-c", "i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done; read x")
            .start();
    Awaitility.await().until(() -> CpuTime.ofTree(self).children() > before);
    var alive = CpuTime.ofTree(self).children();
    child.getOutputStream().close();
    child.waitFor();

    assertThat(CpuTime.ofTree(self).children()).isGreaterThanOrEqualTo(alive);
  }

  @Test
  void a_living_process_has_used_some() throws IOException {
    assertThat(CpuTime.of(ProcessHandle.current().pid()).own()).isPositive();
  }
}

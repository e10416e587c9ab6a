// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.bench.harness.MemoryWatch.Resident;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;

class MemoryWatchTest {
  @Test
  void the_larger_of_two_moments_is_kept_for_each() {
    assertThat(new Resident(200, 20).max(new Resident(150, 60))).isEqualTo(new Resident(200, 60));
  }

  @Test
  void a_child_is_part_of_it_while_it_lives_and_its_peak_stays() throws Exception {
    var self = ProcessHandle.current();
    var child = new ProcessBuilder("cat").start();
    try (var memoryWatch = MemoryWatch.start(self)) {
      Awaitility.await().until(() -> memoryWatch.peak().descendants() > 0);
      var peak = memoryWatch.peak();
      child.destroy();
      child.waitFor();

      assertThat(peak.together()).isGreaterThan(peak.descendants());
      assertThat(memoryWatch.peak().descendants()).isGreaterThanOrEqualTo(peak.descendants());
    } finally {
      child.destroy();
    }
  }

  @Test
  void a_process_that_has_ended_has_none() throws Exception {
    var ended = new ProcessBuilder("true").start();
    ended.waitFor();

    assertThat(Resident.of(ended.toHandle())).isEqualTo(new Resident(0, 0));
  }
}

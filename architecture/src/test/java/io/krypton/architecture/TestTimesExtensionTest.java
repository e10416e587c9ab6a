// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.Extension;

class TestTimesExtensionTest {
  @Test
  void junit_finds_it() {
    assertThat(ServiceLoader.load(Extension.class)).anyMatch(TestTimesExtension.class::isInstance);
  }

  @Test
  void the_time_of_a_process_is_its_own_and_that_of_its_late_children() {
    var stat =
        "4711 (a (strange) name) S 1 4711 4711 0 -1 4194560 9 8 7 6 250 30 15 5 20 0 31 0 99";
    assertThat(TestTimesExtension.fromStat(stat)).isEqualTo(Duration.ofSeconds(3));
  }
}

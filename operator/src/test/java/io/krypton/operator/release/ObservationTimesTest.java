// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

class ObservationTimesTest {
  private final TestingClock clock = new TestingClock();
  private final ObservationTimes times = new ObservationTimes(clock);

  @Test
  void what_is_still_so_was_seen_first_when_it_was_seen_first() {
    var first = times.firstSeen("edge/a/r", "uid-1");
    clock.advance(Duration.ofMinutes(1));

    assertThat(times.firstSeen("edge/a/r", "uid-1")).isEqualTo(first);
    assertThat(times.firstSeen("edge/a/r", "uid-2")).isEqualTo(clock.instant());
  }

  @Test
  void of_a_cluster_that_left_nothing_is_remembered() {
    var first = times.firstSeen("other/a/r", "uid-1");
    var _ = times.firstSeen("edge/a/r", "uid-1");
    clock.advance(Duration.ofMinutes(1));
    times.forgetIf(place -> ReadinessTracker.isOn("edge", place));

    assertThat(times.firstSeen("edge/a/r", "uid-1")).isEqualTo(clock.instant());
    assertThat(times.firstSeen("other/a/r", "uid-1")).isEqualTo(first);
  }
}

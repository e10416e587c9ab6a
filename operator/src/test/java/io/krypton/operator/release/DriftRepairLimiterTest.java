// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class DriftRepairLimiterTest {
  private static final String RELEASE = "edge/acme/tenant-acme-edge";

  private final TestingClock clock = new TestingClock();
  private final DriftRepairLimiter driftRepairLimiter = new DriftRepairLimiter(clock);

  @Test
  void the_same_drift_is_news_once_and_again_after_it_was_gone() {
    var map = List.of("ConfigMap/acme/a");
    assertThat(driftRepairLimiter.newDrift(RELEASE, map, List.of())).isEqualTo(map);
    assertThat(driftRepairLimiter.newDrift(RELEASE, map, List.of())).isEmpty();
    assertThat(driftRepairLimiter.newDrift(RELEASE, map, List.of("Secret/acme/b")))
        .containsExactly("Secret/acme/b");
    driftRepairLimiter.markInSync(RELEASE);
    assertThat(driftRepairLimiter.newDrift(RELEASE, map, List.of())).isEqualTo(map);
  }

  @Test
  void the_first_three_repairs_need_not_wait_and_later_ones_ever_longer() {
    for (var repair = 1; repair <= 3; repair++) {
      assertThat(driftRepairLimiter.delay(RELEASE)).isZero();
      driftRepairLimiter.repairStarted(RELEASE);
    }
    assertThat(driftRepairLimiter.delay(RELEASE)).isEqualTo(Duration.ofSeconds(5));
    clock.advance(Duration.ofSeconds(5));
    assertThat(driftRepairLimiter.delay(RELEASE)).isZero();
    driftRepairLimiter.repairStarted(RELEASE);
    assertThat(driftRepairLimiter.delay(RELEASE)).isEqualTo(Duration.ofSeconds(10));
    for (var repair = 0; repair < 10; repair++) {
      driftRepairLimiter.repairStarted(RELEASE);
    }
    assertThat(driftRepairLimiter.delay(RELEASE)).isEqualTo(Duration.ofMinutes(5));
  }

  @Test
  void ten_minutes_later_they_are_forgotten_and_other_releases_never_waited() {
    for (var repair = 0; repair < 4; repair++) {
      driftRepairLimiter.repairStarted(RELEASE);
    }
    assertThat(driftRepairLimiter.delay("edge/other/release")).isZero();
    clock.advance(Duration.ofMinutes(10));
    assertThat(driftRepairLimiter.delay(RELEASE)).isZero();
  }

  @Test
  void a_fight_that_goes_on_never_becomes_faster_again() {
    var gaps = new ArrayList<Duration>();
    for (var repair = 0; repair < 60; repair++) {
      var pause = driftRepairLimiter.delay(RELEASE);
      gaps.add(pause);
      clock.advance(pause);
      driftRepairLimiter.repairStarted(RELEASE);
      driftRepairLimiter.markInSync(RELEASE);
      clock.advance(Duration.ofSeconds(2));
    }
    assertThat(gaps).isSorted();
    assertThat(gaps.getLast()).isGreaterThan(Duration.ofMinutes(4));
  }

  @Test
  void quiet_counts_from_the_end_of_the_pause() {
    for (var repair = 0; repair < 20; repair++) {
      driftRepairLimiter.repairStarted(RELEASE);
    }
    clock.advance(Duration.ofMinutes(14));
    driftRepairLimiter.markInSync(RELEASE);
    driftRepairLimiter.repairStarted(RELEASE);
    assertThat(driftRepairLimiter.delay(RELEASE)).isEqualTo(Duration.ofMinutes(5));
    clock.advance(Duration.ofMinutes(15));
    driftRepairLimiter.markInSync(RELEASE);
    driftRepairLimiter.repairStarted(RELEASE);
    assertThat(driftRepairLimiter.delay(RELEASE)).isZero();
  }
}

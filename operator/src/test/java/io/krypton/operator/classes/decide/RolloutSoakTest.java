// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static io.krypton.api.chartrollout.ChartRolloutPhase.COMPLETED;
import static io.krypton.api.chartrollout.ChartRolloutPhase.SOAKING;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.time.JsonDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A soak is never shorter than asked, whatever clocks and leaders do. */
class RolloutSoakTest {
  private static final Duration SOAK = Duration.ofMinutes(30);

  private final RolloutSimulation rollout =
      new RolloutSimulation("waves: [{name: all, clusters: {}, soak: 30m}]");
  private Instant readySince = Instant.EPOCH;

  @BeforeEach
  void begin_to_soak() {
    rollout.installed(3, "t-", "1");
    rollout.settle();
    rollout.after(RolloutSimulation.READY_AFTER);
    assertThat(rollout.phase()).isEqualTo(SOAKING);
    readySince = rollout.now;
    assertThat(rollout.wave("all").readySince()).isEqualTo(readySince);
  }

  @Test
  void it_lasts_as_long_as_asked() {
    assertThat(rollout.after(SOAK.minusSeconds(1))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofSeconds(1))).isEqualTo(COMPLETED);
  }

  @Test
  void a_clock_that_jumps_ahead_does_not_end_it() {
    rollout.after(Duration.ofMinutes(10));
    rollout.now = rollout.now.plus(Duration.ofDays(1));

    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(1))).isEqualTo(COMPLETED);
  }

  @Test
  void a_clock_that_jumps_ahead_while_nobody_leads_does_not_end_it() {
    rollout.after(Duration.ofMinutes(10));
    rollout.restart();
    rollout.now = rollout.now.plus(Duration.ofDays(1));

    assertThat(rollout.settle()).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(2))).isEqualTo(COMPLETED);
  }

  @Test
  void a_clock_that_jumps_back_makes_it_longer_but_not_without_end() {
    rollout.after(Duration.ofMinutes(10));
    rollout.now = rollout.now.minus(Duration.ofDays(1));

    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(1))).isEqualTo(COMPLETED);
  }

  @Test
  void a_clock_that_is_set_back_within_it_makes_it_longer() {
    rollout.after(Duration.ofMinutes(20));
    rollout.now = rollout.now.minus(Duration.ofMinutes(10));

    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(1))).isEqualTo(COMPLETED);
  }

  @Test
  void time_that_nobody_watched_does_not_count() {
    rollout.after(Duration.ofMinutes(10));
    rollout.restart();
    rollout.pass(Duration.ofHours(2));
    rollout.nanos = 5; // The clock of another host.

    assertThat(rollout.settle()).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
  }

  @Test
  void what_was_watched_is_stored_in_steps_so_a_new_leader_does_not_begin_anew() {
    assertThat(rollout.wave("all").soaked()).isNull();
    rollout.after(Duration.ofMinutes(10).plusSeconds(20));
    assertThat(rollout.wave("all").soaked()).isEqualTo(JsonDuration.ofMinutes(10));
    rollout.restart();

    assertThat(rollout.after(Duration.ofMinutes(19))).isEqualTo(SOAKING);
    assertThat(rollout.after(Duration.ofMinutes(1).plusSeconds(10))).isEqualTo(COMPLETED);
  }

  @Test
  void it_asks_to_be_looked_at_in_time() {
    rollout.after(Duration.ofMinutes(29).plusSeconds(30));

    assertThat(Objects.requireNonNull(rollout.last).requeueAfter())
        .isEqualTo(Duration.ofSeconds(30));
  }

  @Test
  void short_soaks_are_stored_in_short_steps() {
    var soon = new RolloutSimulation("waves: [{name: all, clusters: {}, soak: 4s}]");
    soon.installed(1, "t-", "1");
    soon.settle();
    soon.pass(RolloutSimulation.READY_AFTER);
    soon.decide();
    for (int i = 0; i < 7; i++) {
      soon.restart();
      soon.decide();
      soon.pass(Duration.ofMillis(600));
      assertThat(soon.decide().status().phase()).isEqualTo(SOAKING);
    }
    soon.restart();
    soon.decide();
    soon.pass(Duration.ofMillis(600));
    assertThat(soon.decide().status().phase()).isEqualTo(COMPLETED);
  }

  @Test
  void whatever_clocks_and_leaders_do_it_is_not_shorter_than_asked() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 50; round++) {
      begin_again();
      var watched = Duration.ZERO;
      var restarts = 0;
      while (rollout.phase() == SOAKING) {
        var step = Duration.ofSeconds(1 + random.nextInt(120));
        switch (random.nextInt(12)) {
          case 0 -> rollout.now = rollout.now.plusSeconds(random.nextInt(100_000));
          case 1 -> rollout.now = rollout.now.minusSeconds(random.nextInt(100_000));
          case 2 -> {
            rollout.restart();
            rollout.nanos = random.nextLong();
            rollout.pass(step);
            rollout.decide();
            restarts++;
          }
          default -> {
            rollout.pass(step);
            watched = watched.plus(step);
            rollout.decide();
          }
        }
        assertThat(watched).as("seed %d, too long", seed).isLessThan(Duration.ofDays(40));
      }
      assertThat(rollout.phase()).as("seed %d", seed).isEqualTo(COMPLETED);
      assertThat(watched).as("seed %d, %d restarts", seed, restarts).isGreaterThanOrEqualTo(SOAK);
    }
  }

  private void begin_again() {
    rollout.status = ChartRolloutStatus.EMPTY;
    rollout.restart();
    rollout.targets.clear();
    rollout.now = Instant.parse("2026-05-04T08:00:00Z");
    rollout.real = rollout.now;
    begin_to_soak();
  }
}

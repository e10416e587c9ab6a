// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static io.krypton.operator.kmshealth.aggregate.Scenario.converged;
import static io.krypton.operator.kmshealth.aggregate.Scenario.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.input.NodeEvidence.Heartbeat;
import java.time.Duration;
import java.util.HashMap;
import org.junit.jupiter.api.Test;

/** What was not seen is not judged: after starts, pauses and with watches that bring nothing. */
class AggregatorStartTest {
  private static final String WELL = "FALSE AsExpected: ";

  private final Scenario scenario = new Scenario();

  @Test
  void after_a_start_nobody_is_well_before_he_was_seen_to_change() {
    scenario.allHealthy().restart();
    assertThat(said(scenario.look())).isEqualTo("-");
    assertThat(said(scenario.after(30, "c"))).isEqualTo("-");
    assertThat(said(scenario.beats("c").look())).isEqualTo(WELL);
  }

  /** Its Lease says that it was renewed in an hour. */
  @Test
  void a_dead_node_with_a_fast_clock_stays_stale_over_a_change_of_leaders() {
    scenario.offsets.put("c", Duration.ofHours(1));
    scenario.allHealthy().look();
    scenario.after(600);
    assertThat(converged(scenario.last)).isEqualTo("Converged");
    var stale = said(scenario.after(150, "c"));
    assertThat(stale).startsWith("UNKNOWN ReporterStale");

    scenario.restart();
    for (int i = 0; i < 60; i++) {
      var looked = scenario.after(10, "c");
      assertThat(said(looked)).isEqualTo(stale);
      assertThat(converged(looked)).isEqualTo("StaleReport");
    }
  }

  @Test
  void a_stalled_watch_makes_nobody_stale() {
    scenario.allHealthy().look();
    scenario.after(600);
    var server = new HashMap<String, Heartbeat>();
    for (int i = 0; i < 20; i++) {
      scenario.seconds += 10;
      scenario.leases.keySet().forEach(node -> server.put(node, beat(node)));
      scenario.server = scenario.asked == 0 ? server : null;
      assertThat(said(scenario.look())).isEqualTo(WELL);
      assertThat(converged(scenario.last)).isEqualTo("Converged");
    }
    assertThat(scenario.asked).as("the server was asked once").isEqualTo(1);
  }

  private Heartbeat beat(String node) {
    return new Heartbeat(
        node + "_0", Scenario.BEGIN.plusSeconds(scenario.seconds), Duration.ofMinutes(2));
  }

  @Test
  void the_server_is_asked_once_for_each_silence() {
    scenario.allHealthy().look();
    assertThat(said(scenario.after(600, "c"))).startsWith("UNKNOWN ReporterStale");
    assertThat(scenario.asked).isEqualTo(1);
    scenario.beats("c").look();
    scenario.after(100);
    scenario.after(600, "c", "b");
    assertThat(scenario.asked).isEqualTo(2);
  }

  @Test
  void a_long_pause_of_ours_is_a_new_start() {
    scenario.allHealthy().look();
    scenario.after(600);
    scenario.seconds += 3600;
    assertThat(said(scenario.look())).as("nobody listened").isEqualTo(WELL);
    assertThat(scenario.asked).isZero();
    assertThat(converged(scenario.last)).isEqualTo("Converged");
    for (int i = 0; i < 10; i++) {
      assertThat(said(scenario.after(20))).isEqualTo(WELL);
    }
  }

  @Test
  void whoever_died_in_a_long_pause_is_stale_soon_after() {
    scenario.allHealthy().look();
    scenario.after(600);
    scenario.seconds += 3600;
    scenario.look();
    assertThat(said(scenario.after(59, "c"))).isEqualTo(WELL);
    assertThat(said(scenario.after(10, "c")))
        .isEqualTo("UNKNOWN ReporterStale: node c: reporter stale");
  }
}

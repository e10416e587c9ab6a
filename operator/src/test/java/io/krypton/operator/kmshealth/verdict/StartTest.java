package io.krypton.operator.kmshealth.verdict;

import static io.krypton.operator.kmshealth.verdict.Scene.converged;
import static io.krypton.operator.kmshealth.verdict.Scene.said;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.kmshealth.evidence.Heartbeat;
import java.time.Duration;
import java.util.HashMap;
import org.junit.jupiter.api.Test;

/** What was not seen is not judged: after starts, pauses and with watches that bring nothing. */
class StartTest {
  private static final String WELL = "FALSE AsExpected: ";

  private final Scene scene = new Scene();

  @Test
  void after_a_start_nobody_is_well_before_he_was_seen_to_change() {
    scene.allHealthy().restart();
    assertThat(said(scene.look())).isEqualTo("-");
    assertThat(said(scene.after(30, "c"))).isEqualTo("-");
    assertThat(said(scene.beats("c").look())).isEqualTo(WELL);
  }

  /** Its Lease says that it was renewed in an hour. */
  @Test
  void a_dead_node_with_a_fast_clock_stays_stale_over_a_change_of_leaders() {
    scene.offsets.put("c", Duration.ofHours(1));
    scene.allHealthy().look();
    scene.after(600);
    assertThat(converged(scene.last)).isEqualTo("Converged");
    var stale = said(scene.after(150, "c"));
    assertThat(stale).startsWith("UNKNOWN ReporterStale");

    scene.restart();
    for (int i = 0; i < 60; i++) {
      var looked = scene.after(10, "c");
      assertThat(said(looked)).isEqualTo(stale);
      assertThat(converged(looked)).isEqualTo("StaleReport");
    }
  }

  @Test
  void a_stalled_watch_makes_nobody_stale() {
    scene.allHealthy().look();
    scene.after(600);
    var server = new HashMap<String, Heartbeat>();
    for (int i = 0; i < 20; i++) {
      scene.seconds += 10;
      scene.leases.keySet().forEach(node -> server.put(node, beat(node)));
      scene.server = scene.asked == 0 ? server : null;
      assertThat(said(scene.look())).isEqualTo(WELL);
      assertThat(converged(scene.last)).isEqualTo("Converged");
    }
    assertThat(scene.asked).as("the server was asked once").isEqualTo(1);
  }

  private Heartbeat beat(String node) {
    return new Heartbeat(
        node + "_0", Scene.BEGIN.plusSeconds(scene.seconds), Duration.ofMinutes(2));
  }

  @Test
  void the_server_is_asked_once_for_each_silence() {
    scene.allHealthy().look();
    assertThat(said(scene.after(600, "c"))).startsWith("UNKNOWN ReporterStale");
    assertThat(scene.asked).isEqualTo(1);
    scene.beats("c").look();
    scene.after(100);
    scene.after(600, "c", "b");
    assertThat(scene.asked).isEqualTo(2);
  }

  @Test
  void a_long_pause_of_ours_is_a_new_start() {
    scene.allHealthy().look();
    scene.after(600);
    scene.seconds += 3600;
    assertThat(said(scene.look())).as("nobody listened").isEqualTo(WELL);
    assertThat(scene.asked).isZero();
    assertThat(converged(scene.last)).isEqualTo("Converged");
    for (int i = 0; i < 10; i++) {
      assertThat(said(scene.after(20))).isEqualTo(WELL);
    }
  }

  @Test
  void whoever_died_in_a_long_pause_is_stale_soon_after() {
    scene.allHealthy().look();
    scene.after(600);
    scene.seconds += 3600;
    scene.look();
    assertThat(said(scene.after(59, "c"))).isEqualTo(WELL);
    assertThat(said(scene.after(10, "c")))
        .isEqualTo("UNKNOWN ReporterStale: node c: reporter stale");
  }
}

package io.krypton.multicluster.watch;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class StreakTest {
  @Test
  void the_first_is_logged_then_ever_fewer_and_a_new_kind_at_once() {
    var lines = new ArrayList<Integer>();
    var streak = Streak.NONE;
    for (var i = 0; i < 100; i++) {
      streak = streak.next("HTTP 503");
      if (streak.isWorthALine()) {
        lines.add(streak.count());
      }
    }
    assertThat(lines).isEqualTo(List.of(1, 2, 4, 8, 16, 32, 64));
    assertThat(streak.next("ConnectException").isWorthALine()).isTrue();
  }
}

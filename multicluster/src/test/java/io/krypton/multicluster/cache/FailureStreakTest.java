package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class FailureStreakTest {
  @Test
  void the_first_is_logged_then_ever_fewer_and_a_new_kind_at_once() {
    var lines = new ArrayList<Integer>();
    var failureStreak = FailureStreak.NONE;
    for (var i = 0; i < 100; i++) {
      failureStreak = failureStreak.next("HTTP 503");
      if (failureStreak.shouldLog()) {
        lines.add(failureStreak.count());
      }
    }
    assertThat(lines).isEqualTo(List.of(1, 2, 4, 8, 16, 32, 64));
    assertThat(failureStreak.next("ConnectException").shouldLog()).isTrue();
  }
}

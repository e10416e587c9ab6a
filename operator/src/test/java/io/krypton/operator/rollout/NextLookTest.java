package io.krypton.operator.rollout;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.controller.Outcome;
import io.krypton.operator.rollout.Situation.Blocked;
import io.krypton.operator.rollout.Situation.Obstacle;
import io.krypton.operator.rollout.Situation.OutOfReach;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NextLookTest {
  private static final Duration INTERVAL = Duration.ofMinutes(1);

  @ParameterizedTest
  @EnumSource(Obstacle.class)
  void whatever_it_waits_for_its_back_off_is_not_reset(Obstacle obstacle) {
    assertThat(NextLook.after(new Blocked(obstacle, Duration.ofSeconds(5)), INTERVAL))
        .isEqualTo(Outcome.postpone(Duration.ofSeconds(5)));
    assertThat(NextLook.after(new Blocked(obstacle, null), INTERVAL))
        .isEqualTo(Outcome.postpone(INTERVAL));
  }

  @Test
  void a_cluster_that_does_not_answer_neither_fails_nor_cures_a_release() {
    assertThat(NextLook.after(new OutOfReach("no route"), INTERVAL))
        .isInstanceOf(Outcome.Postpone.class);
  }
}

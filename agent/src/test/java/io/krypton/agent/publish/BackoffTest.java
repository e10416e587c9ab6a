package io.krypton.agent.publish;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;

class BackoffTest {
  /** In the middle of the spread. */
  private static final RandomGenerator MIDDLE = () -> 1L << 63;

  private static final ApiResult GONE = new ApiResult.Unreachable("refused");
  private static final ApiResult FORBIDDEN = new ApiResult.Forbidden("403");

  private final Backoff backoff = new Backoff(MIDDLE);

  @Test
  void an_outage_is_probed_ever_more_seldom_but_at_least_every_5_seconds() {
    assertThat(pauses(GONE, 7)).containsExactly(500L, 1000L, 2000L, 4000L, 5000L, 5000L, 5000L);
  }

  @Test
  void a_refusal_that_somebody_must_repair_is_asked_about_down_to_once_a_minute() {
    assertThat(pauses(FORBIDDEN, 9))
        .containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 16000L, 32000L, 60000L, 60000L);
    assertThat(backoff.after(new ApiResult.NotFound("404"))).isEqualTo(Duration.ofSeconds(60));
    assertThat(backoff.after(new ApiResult.Invalid(422, List.of(), "422")))
        .isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void success_starts_anew() {
    pauses(GONE, 5);
    assertThat(backoff.after(ApiResult.Done.withoutBody())).isZero();
    assertThat(pauses(GONE, 2)).containsExactly(500L, 1000L);
  }

  @Test
  void an_outage_after_refusals_is_probed_quickly_again() {
    pauses(FORBIDDEN, 9);
    assertThat(backoff.after(GONE)).isEqualTo(Duration.ofSeconds(5));
  }

  @Test
  void a_longer_retry_after_is_honoured_and_a_shorter_one_does_not_speed_us_up() {
    var seven = Optional.of(Duration.ofSeconds(7));
    assertThat(backoff.after(new ApiResult.Throttled(seven, "429"))).isEqualTo(seven.get());
    assertThat(backoff.after(new ApiResult.ServerError(503, seven, "503"))).isEqualTo(seven.get());
    assertThat(backoff.after(new ApiResult.Throttled(Optional.of(Duration.ZERO), "429")))
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void pauses_are_spread_by_a_fifth_to_both_sides() {
    long seed = System.nanoTime();
    var random = new SplittableRandom(seed);
    var seen = new ArrayList<Long>();
    for (int i = 0; i < 2_000; i++) {
      seen.add(new Backoff(random).after(GONE).toMillis());
    }
    assertThat(seen).as("seed %d", seed).allMatch(pause -> pause >= 400 && pause <= 600);
    assertThat(seen).as("seed %d", seed).anyMatch(p -> p < 420).anyMatch(p -> p > 580);
  }

  private List<Long> pauses(ApiResult result, int count) {
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      pauses.add(backoff.after(result).toMillis());
    }
    return pauses;
  }
}

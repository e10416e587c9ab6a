// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiBackoffTest {
  /** In the middle of the spread. */
  private static final RandomGenerator MIDDLE = () -> 1L << 63;

  private static final ApiResult GONE = new ApiResult.Unreachable("refused");
  private static final ApiResult FORBIDDEN = new ApiResult.Forbidden("403");

  private final ApiBackoff apiBackoff = new ApiBackoff(MIDDLE);

  @Test
  void an_outage_is_probed_ever_more_seldom_but_at_least_every_5_seconds() {
    assertThat(pauses(GONE, 7)).containsExactly(500L, 1000L, 2000L, 4000L, 5000L, 5000L, 5000L);
  }

  @Test
  void a_refusal_that_somebody_must_repair_is_asked_about_down_to_once_a_minute() {
    assertThat(pauses(FORBIDDEN, 9))
        .containsExactly(500L, 1000L, 2000L, 4000L, 8000L, 16000L, 32000L, 60000L, 60000L);
    assertThat(apiBackoff.delayAfter(new ApiResult.NotFound("404")))
        .isEqualTo(Duration.ofSeconds(60));
    assertThat(apiBackoff.delayAfter(new ApiResult.Invalid(422, List.of(), "422")))
        .isEqualTo(Duration.ofSeconds(60));
  }

  @Test
  void success_starts_anew() {
    pauses(GONE, 5);
    assertThat(apiBackoff.delayAfter(ApiResult.Done.withoutBody())).isZero();
    assertThat(pauses(GONE, 2)).containsExactly(500L, 1000L);
  }

  @Test
  void an_outage_after_refusals_is_probed_quickly_again() {
    pauses(FORBIDDEN, 9);
    assertThat(pauses(GONE, 2)).containsExactly(500L, 1000L);
  }

  @Test
  void a_refusal_after_a_long_outage_is_asked_about_soon_as_the_server_may_only_be_starting() {
    pauses(GONE, 60);
    assertThat(pauses(FORBIDDEN, 3)).containsExactly(500L, 1000L, 2000L);
    assertThat(apiBackoff.delayAfter(GONE))
        .as("the outage goes on")
        .isEqualTo(Duration.ofSeconds(5));
  }

  @ParameterizedTest(name = "{0}: up to {1} ms")
  @CsvSource({
    "401, 5000",
    "403, 60000",
    "404, 60000",
    "409, 5000",
    "422, 60000",
    "429, 5000",
    "500, 5000",
    "503, 5000",
  })
  void each_answer_of_a_server_leads_to_its_longest_pause(int code, long longest) throws Exception {
    try (var server = new ScriptedServer("api.internal");
        var api =
            new ApiConnection(
                new ReloadingCredentials(
                    () ->
                        new CredentialSource.Reading(
                            new CredentialState.Ready(server.access("t")), Set.of()),
                    System::nanoTime))) {
      server.answers(ScriptedServer.status(code, "{}"));
      var write = ApiRequest.apply("/apis/x", "me", JsonNodeFactory.instance.objectNode());
      var answer = api.call(write, Duration.ofSeconds(30));

      assertThat(answer.explanation()).startsWith(String.valueOf(code));
      assertThat(pauses(answer, 10)).startsWith(500L, 1000L, 2000L, 4000L).endsWith(longest);
    }
  }

  @Test
  void a_longer_retry_after_is_honoured_and_a_shorter_one_does_not_speed_us_up() {
    var seven = Optional.of(Duration.ofSeconds(7));
    assertThat(apiBackoff.delayAfter(new ApiResult.Throttled(seven, "429"))).isEqualTo(seven.get());
    assertThat(apiBackoff.delayAfter(new ApiResult.ServerError(503, seven, "503")))
        .isEqualTo(seven.get());
    assertThat(apiBackoff.delayAfter(new ApiResult.Throttled(Optional.of(Duration.ZERO), "429")))
        .isEqualTo(Duration.ofSeconds(2));
  }

  @Test
  void pauses_are_spread_by_a_fifth_to_both_sides() {
    long seed = System.nanoTime();
    var random = new SplittableRandom(seed);
    var seen = new ArrayList<Long>();
    for (int i = 0; i < 2_000; i++) {
      seen.add(new ApiBackoff(random).delayAfter(GONE).toMillis());
    }
    assertThat(seen).as("seed %d", seed).allMatch(pause -> pause >= 400 && pause <= 600);
    assertThat(seen).as("seed %d", seed).anyMatch(p -> p < 420).anyMatch(p -> p > 580);
  }

  private List<Long> pauses(ApiResult result, int count) {
    var pauses = new ArrayList<Long>();
    for (int i = 0; i < count; i++) {
      pauses.add(apiBackoff.delayAfter(result).toMillis());
    }
    return pauses;
  }
}

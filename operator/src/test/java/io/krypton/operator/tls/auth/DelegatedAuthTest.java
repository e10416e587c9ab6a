// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import io.krypton.operator.tls.auth.DelegatedAuth.AuthTimings;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class DelegatedAuthTest {
  private static final Instant START = Instant.parse("2030-01-01T00:00:00Z");
  private static final Duration GRACE = Duration.ofMinutes(10);
  private static final String PEER = "10.0.0.1";

  private final ScriptedReviews server = new ScriptedReviews();
  private final AtomicLong nanos = new AtomicLong();
  private final List<String> results = new ArrayList<>();
  private DelegatedAuth auth = auth(GRACE);

  @AfterEach
  void close() {
    auth.close();
  }

  @ParameterizedTest(name = "{0} {1} with {2}")
  @CsvSource({
    "GET,/metrics,'',401,unauthenticated",
    "GET,/metrics,Basic eA==,401,unauthenticated",
    "GET,/metrics,Bearer,401,unauthenticated",
    "GET,/metrics,Bearer a b,401,unauthenticated",
    "GET,/metrics,Bearer unknown,401,unauthenticated",
    "GET,/metrics,Bearer good,200,allowed",
    "GET,/metrics,bearer good,200,allowed",
    "GET,/metrics,Bearer stranger,403,denied",
    "GET,/status,Bearer good,403,denied",
    "POST,/metrics,Bearer good,403,denied"
  })
  void a3_codes(String method, String path, String header, int status, String result)
      throws Exception {
    var headers = header.isEmpty() ? List.<String>of() : List.of(header);
    assertThat(status(auth.refusal(request(method, path, headers, PEER)))).isEqualTo(status);
    assertThat(results).containsExactly(result);
  }

  @Test
  void a3_answers_say_what_and_nothing_more() throws Exception {
    assertThat(ask("unknown").orElseThrow().body()).isEqualTo("Unauthorized");
    assertThat(ask("stranger").orElseThrow().body())
        .isEqualTo("Authorization denied for user stranger");
    server.mayNotAsk = true;
    var unavailable = ask("another").orElseThrow();
    assertThat(unavailable.status()).isEqualTo(503);
    assertThat(unavailable.headers()).containsEntry("Retry-After", "5");
  }

  @Test
  void two_authorization_headers_are_one_too_many() throws Exception {
    var request = request("GET", "/metrics", List.of("Bearer good", "Bearer good"), PEER);
    assertThat(status(auth.refusal(request))).isEqualTo(401);
  }

  @Test
  void a4_verdicts_are_remembered_for_their_time() throws Exception {
    for (var i = 0; i < 10; i++) {
      assertThat(ask("good")).isEmpty();
      assertThat(ask("stranger")).isPresent();
      assertThat(ask("unknown")).isPresent();
    }
    assertThat(server.authentications).hasValue(3);
    assertThat(server.authorizations).hasValue(2);

    pass(Duration.ofSeconds(59));
    ask("good");
    ask("stranger");
    assertThat(server.authentications).hasValue(3);
    assertThat(server.authorizations).as("a denial is asked again after 30 s").hasValue(3);

    pass(Duration.ofSeconds(2));
    ask("good");
    assertThat(server.authentications).as("a token after a minute").hasValue(4);
    assertThat(server.authorizations).hasValue(3);

    pass(Duration.ofMinutes(5));
    ask("good");
    assertThat(server.authorizations).as("what is allowed after five").hasValue(4);
  }

  @Test
  void a4_who_asks_at_once_asks_together() throws Exception {
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (var i = 0; i < 50; i++) {
        var _ = threads.submit(() -> ask("good"));
      }
    }
    assertThat(server.authentications.get()).isLessThanOrEqualTo(2);
  }

  @Test
  void a6_an_outage_lets_in_who_was_allowed_until_the_grace_is_over() throws Exception {
    ask("good");
    ask("stranger");
    server.away = true;

    pass(Duration.ofMinutes(2));
    assertThat(ask("good")).isEmpty();
    assertThat(status(ask("stranger"))).isEqualTo(503);
    assertThat(status(ask("never-seen"))).isEqualTo(503);
    assertThat(status(auth.refusal(request("GET", "/status", List.of("Bearer good"), PEER))))
        .isEqualTo(503);

    pass(Duration.ofMinutes(8));
    assertThat(ask("good")).as("within a minute and the grace").isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(status(ask("good"))).as("past the grace").isEqualTo(503);
    assertThat(results).contains("stale", "unavailable");

    server.away = false;
    pass(Duration.ofSeconds(6));
    assertThat(ask("good")).isEmpty();
    assertThat(results).last().isEqualTo("allowed");
  }

  @Test
  void a6_without_grace_an_outage_lets_in_nobody_whose_verdict_ran_out() throws Exception {
    auth.close();
    auth = auth(Duration.ZERO);
    ask("good");
    server.away = true;
    assertThat(ask("good")).isEmpty();
    pass(Duration.ofMinutes(2));
    assertThat(status(ask("good"))).isEqualTo(503);
  }

  @Test
  void a6_a_right_that_was_taken_away_is_not_remembered() throws Exception {
    ask("good");
    server.scraperMayRead = false;
    pass(Duration.ofMinutes(6));
    assertThat(status(ask("good"))).isEqualTo(403);
    server.away = true;
    pass(Duration.ofMinutes(1));
    assertThat(status(ask("good"))).isEqualTo(503);
  }

  @Test
  void a6_a_token_that_has_expired_by_its_own_words_gets_no_grace() throws Exception {
    var token = jwt(START.plusSeconds(90));
    assertThat(ask(token)).isEmpty();
    server.away = true;
    pass(Duration.ofSeconds(80));
    assertThat(ask(token)).isEmpty();
    pass(Duration.ofSeconds(20));
    assertThat(status(ask(token))).isEqualTo(503);
  }

  @Test
  void a5_after_a_failed_review_nobody_is_asked_for_five_seconds() throws Exception {
    server.mayNotAsk = true;
    ask("one");
    ask("two");
    ask("three");
    assertThat(server.authentications).hasValue(1);
    server.mayNotAsk = false;
    pass(Duration.ofSeconds(6));
    assertThat(ask("good-four")).isEmpty();
  }

  @Test
  void garbage_costs_a_bounded_number_of_reviews() throws Exception {
    for (var i = 0; i < 5000; i++) {
      ask("unknown-" + i, "10.0.0." + i % 100);
    }
    assertThat(server.authentications.get()).as("of all peers together").isLessThanOrEqualTo(50);
    assertThat(ask("unknown-new", "10.0.0.200").orElseThrow().status()).isEqualTo(429);
    assertThat(results).last().isEqualTo("limited");

    pass(Duration.ofSeconds(1));
    assertThat(status(ask("good"))).as("there is room again").isEqualTo(200);
  }

  @Test
  void one_peer_cannot_use_up_what_all_have() throws Exception {
    for (var i = 0; i < 5000; i++) {
      ask("unknown-" + i, "10.0.0.66");
    }
    assertThat(server.authentications.get()).isLessThanOrEqualTo(20);
    assertThat(ask("good", PEER)).isEmpty();
  }

  @Test
  void garbage_neither_displaces_nor_slows_who_was_let_in() throws Exception {
    assertThat(ask("good")).isEmpty();
    for (var i = 0; i < 10_000; i++) {
      ask("unknown-" + i, "10.0.%d.%d".formatted(i / 250 % 250, i % 250));
      pass(Duration.ofMillis(5));
    }
    // 50 s have passed; the verdicts run out within the next ones, amid garbage from the same peer.
    for (var i = 0; i < 5000; i++) {
      ask("unknown-more-" + i, PEER);
    }
    pass(Duration.ofSeconds(15));
    for (var i = 0; i < 200; i++) {
      ask("unknown-most-" + i, "10.9.9." + i);
    }
    assertThat(ask("good")).as("asked again in spite of the limit").isEmpty();
    assertThat(results).last().isEqualTo("allowed");

    server.away = true;
    pass(Duration.ofMinutes(5));
    assertThat(ask("good")).as("the grace is still there").isEmpty();
    assertThat(results).last().isEqualTo("stale");
  }

  @Test
  void other_paths_cost_a_bounded_number_of_reviews() throws Exception {
    for (var i = 0; i < 5000; i++) {
      auth.refusal(request("GET", "/" + i, List.of("Bearer stranger"), PEER));
    }
    assertThat(server.authorizations.get()).isLessThanOrEqualTo(50);
  }

  @Test
  void an_answer_in_doubt_lets_in_nobody_and_is_forgotten() throws Exception {
    assertThat(ask("good")).isEmpty();
    pass(Duration.ofMinutes(2));
    server.inDoubt = true;
    assertThat(status(ask("good"))).isEqualTo(401);
    assertThat(status(ask("good"))).isEqualTo(401);
    assertThat(server.authentications).as("asked each time").hasValue(3);

    server.inDoubt = false;
    assertThat(ask("good")).as("without any pause").isEmpty();
  }

  @Test
  void who_was_in_doubt_last_gets_no_grace() throws Exception {
    assertThat(ask("good")).isEmpty();
    pass(Duration.ofMinutes(2));
    server.inDoubt = true;
    ask("good");
    server.away = true;
    assertThat(status(ask("good"))).as("its token may have been taken back").isEqualTo(503);
  }

  @Test
  void a7_tokens_have_no_text_form() {
    var token = CallerToken.in(List.of("Bearer very-secret")).orElseThrow();
    assertThat(token.toString()).doesNotContain("very-secret");
    assertThat(request("GET", "/metrics", List.of("Bearer very-secret"), PEER).toString())
        .doesNotContain("very-secret");
  }

  private static PageRequest request(
      String method, String path, List<String> authorization, String peer) {
    return new PageRequest(
        method, path, "", Map.of("authorization", authorization), InetAddress.ofLiteral(peer));
  }

  private Optional<PageResponse> ask(String token) throws InterruptedException {
    return ask(token, PEER);
  }

  private Optional<PageResponse> ask(String token, String peer) throws InterruptedException {
    return auth.refusal(request("GET", "/metrics", List.of("Bearer " + token), peer));
  }

  private static int status(Optional<PageResponse> refusal) {
    return refusal.map(PageResponse::status).orElse(200);
  }

  private void pass(Duration time) {
    nanos.addAndGet(time.toNanos());
  }

  private DelegatedAuth auth(Duration grace) {
    var standard = AuthTimings.standard(grace);
    return new DelegatedAuth(
        server,
        new AuthTimings(
            standard.token(),
            standard.allowed(),
            standard.denied(),
            grace,
            standard.request(),
            standard.pause(),
            1,
            Duration.ofMillis(1)),
        result -> {
          synchronized (results) {
            results.add(result);
          }
        },
        () -> START.plusNanos(nanos.get()),
        nanos::get);
  }

  private static String jwt(Instant expiry) {
    var claims = "{\"exp\":%d}".formatted(expiry.getEpochSecond());
    return "e30.%s.c2ln"
        .formatted(
            Base64.getUrlEncoder()
                .withoutPadding()
                .encodeToString(claims.getBytes(StandardCharsets.US_ASCII)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static io.krypton.agent.kube.ScriptedServer.status;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.agent.kube.CredentialSource.CredentialState;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ApiConnectionTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ApiRequest WRITE =
      ApiRequest.apply("/apis/x", "me", JsonNodeFactory.instance.objectNode().put("a", 1));

  private final ScriptedServer server;
  private final Deque<CredentialState> onDisk = new ArrayDeque<>();

  ApiConnectionTest() throws IOException {
    server = new ScriptedServer("api.internal");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @ParameterizedTest
  @CsvSource({
    "200, written", "401, unauthorized", "403, forbidden", "404, not-found", "409, conflict",
    "422, invalid", "400, invalid", "302, invalid", "429, throttled", "500, server-error",
    "503, server-error",
  })
  void each_class_of_answers_has_its_word(int code, String word) throws InterruptedException {
    server.answers(status(code, "{\"kind\":\"Status\",\"message\":\"because\\nof this\"}"));
    onDisk.add(ready("t"));
    try (var connection = connection()) {
      var result = connection.call(WRITE, LIMIT);

      assertThat(result.value()).isEqualTo(word);
      if (code != 200) {
        assertThat(result.explanation()).isEqualTo(code + " because; of this");
      }
    }
  }

  @Test
  void a_refusal_names_the_fields_and_a_schema_without_them_is_told_apart()
      throws InterruptedException {
    onDisk.add(ready("t"));
    try (var connection = connection()) {
      server.answers(status(422, "{\"details\": {\"causes\": [{\"field\": \"status.a[1].b\"}]}}"));
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.Invalid(422, List.of("status.a[1].b"), "422"));
      server.answers(status(500, "{\"message\": \".status.x: field not declared in schema\"}"));
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.UndeclaredField.class);
    }
  }

  @Test
  void an_apply_carries_type_token_and_body() throws InterruptedException {
    onDisk.add(ready("t0ken"));
    try (var connection = connection()) {
      connection.call(WRITE, LIMIT);
    }
    assertThat(server.seen())
        .containsExactly(
            new ScriptedServer.Seen(
                "PATCH", "/apis/x?fieldManager=me&force=true", "Bearer t0ken", "{\"a\":1}"));
  }

  @Test
  void retry_after_is_read_in_seconds_and_bounded() throws InterruptedException {
    onDisk.add(ready("t"));
    try (var connection = connection()) {
      server.answers(status(429, "", "Retry-After", "7"));
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.Throttled(Optional.of(Duration.ofSeconds(7)), "429"));
      server.answers(status(503, "", "Retry-After", "999999"));
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.ServerError(503, Optional.of(Duration.ofSeconds(60)), "503"));
      server.answers(status(429, "", "Retry-After", "Wed, 21 Oct 2026 07:28:00 GMT"));
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.Throttled(Optional.empty(), "429"));
    }
  }

  @Test
  void a_refused_token_is_read_again_and_tried_once_more_at_once() throws InterruptedException {
    server.answers(
        exchange ->
            status(
                    "Bearer new".equals(exchange.getRequestHeaders().getFirst("Authorization"))
                        ? 200
                        : 401,
                    "")
                .answer(exchange));
    onDisk.addAll(List.of(ready("old"), ready("new")));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Done.class);
    }
    assertThat(server.seen()).hasSize(2);
  }

  @Test
  void a_token_refused_twice_waits_for_the_back_off() throws InterruptedException {
    server.answers(status(401, ""));
    onDisk.addAll(List.of(ready("a"), ready("b"), ready("c")));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Unauthorized.class);
      assertThat(server.seen()).hasSize(2);
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Unauthorized.class);
      assertThat(server.seen()).hasSize(3);
    }
  }

  @Test
  void missing_credentials_send_nothing_and_are_cured_by_their_appearance()
      throws InterruptedException {
    onDisk.addAll(List.of(new CredentialState.NotYet("kubeconfig x does not exist"), ready("t")));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.NoAccess("kubeconfig x does not exist"));
      assertThat(server.seen()).isEmpty();
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Done.class);
    }
  }

  @Test
  void a_server_that_stalls_within_its_answer_is_left_after_the_limit()
      throws InterruptedException {
    var release = new CountDownLatch(1);
    server.answers(
        exchange -> {
          exchange.sendResponseHeaders(403, 100);
          exchange.getResponseBody().write('{');
          exchange.getResponseBody().flush();
          awaitQuietly(release);
        });
    onDisk.add(ready("t"));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, Duration.ofMillis(300)))
          .isEqualTo(new ApiResult.Unreachable("no answer within 300 ms"));
      server.answers(status(200, ""));
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Done.class);
    } finally {
      release.countDown();
    }
  }

  @Test
  void a_closed_port_and_an_unknown_authority_are_told_apart() throws Exception {
    try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      onDisk.add(readyAt("https://127.0.0.1:" + free.getLocalPort(), null));
    }
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT))
          .isEqualTo(new ApiResult.Unreachable("connection refused"));
    }
    onDisk.clear();
    onDisk.add(
        new CredentialState.Ready(
            new ApiClientConfig(
                URI.create("https://127.0.0.1:" + server.port()), null, false, null, "t", null)));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT).explanation()).startsWith("TLS: ");
    }
  }

  @Test
  void another_tls_name_is_asked_for_and_checked() throws InterruptedException {
    onDisk.add(readyAt("https://localhost:" + server.port(), "api.internal"));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT)).isInstanceOf(ApiResult.Done.class);
    }
    onDisk.clear();
    onDisk.add(readyAt("https://localhost:" + server.port(), "other.internal"));
    try (var connection = connection()) {
      assertThat(connection.call(WRITE, LIMIT).explanation())
          .startsWith("TLS: ")
          .contains("other.internal");
    }
  }

  @Test
  void replaced_clients_leave_no_thread_behind() throws InterruptedException {
    for (int i = 0; i < 20; i++) {
      onDisk.add(ready("token-" + i));
    }
    try (var connection = connection()) {
      server.answers(status(200, ""));
      for (int i = 0; i < 20; i++) {
        connection.call(WRITE, LIMIT);
      }
    }
    await().atMost(LIMIT).untilAsserted(() -> assertThat(clientThreads()).isZero());
    assertThat(server.seen()).extracting("authorization").contains("Bearer token-19");
  }

  private static long clientThreads() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith("HttpClient-"))
        .count();
  }

  /** Each reading gives the next state; the last one stays. */
  private ApiConnection connection() {
    return new ApiConnection(
        new ReloadingCredentials(
            () ->
                new CredentialSource.Reading(
                    onDisk.size() > 1 ? onDisk.removeFirst() : onDisk.getFirst(), Set.of()),
            // Older than a minute at every look, so that each call reads.
            new AgingClock()));
  }

  private CredentialState ready(String token) {
    return new CredentialState.Ready(server.access(token));
  }

  private static CredentialState readyAt(String url, @Nullable String tlsName) {
    return new CredentialState.Ready(
        new ApiClientConfig(
            URI.create(url), tlsName, false, ScriptedServer.AUTHORITY.certificatePem(), "t", null));
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private static final class AgingClock implements LongSupplier {
    private long now;

    @Override
    public long getAsLong() {
      return now += ReloadingCredentials.MAX_AGE.toNanos();
    }
  }
}

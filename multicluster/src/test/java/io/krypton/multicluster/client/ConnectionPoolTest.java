// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.multicluster.cluster.FakeApiServer;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ConnectionPoolTest {
  private static final Duration SOON = Duration.ofSeconds(30);

  private final AtomicInteger built = new AtomicInteger();
  private final AtomicInteger asked = new AtomicInteger();
  private final ConnectionPool connectionPool =
      new ConnectionPool(
          () -> {
            built.incrementAndGet();
            return HttpClient.newHttpClient();
          });
  private FakeApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = FakeApiServer.start("uid");
  }

  @AfterEach
  void stop() {
    connectionPool.close();
    server.close();
  }

  private HttpRequest request() {
    return HttpRequest.newBuilder(
            URI.create("http://127.0.0.1:%d/version".formatted(server.port())))
        .build();
  }

  private CompletableFuture<HttpResponse<String>> send() {
    return connectionPool.send(request(), BodyHandlers.ofString());
  }

  private CompletableFuture<? extends HttpResponse<?>> ask(HttpClient client) {
    asked.incrementAndGet();
    return client.sendAsync(request(), BodyHandlers.ofString());
  }

  @Test
  void requests_that_end_share_one_client() throws Exception {
    for (int i = 0; i < 2 * ConnectionPool.MAX_STREAMS; i++) {
      send().get(SOON.toSeconds(), TimeUnit.SECONDS);
    }

    assertThat(built).hasValue(1);
  }

  @Test
  void what_has_no_room_on_one_client_goes_to_a_further_one_which_ends_when_it_is_empty() {
    server.silent(true);
    var hanging = new ArrayList<CompletableFuture<HttpResponse<String>>>();
    for (int i = 0; i < 2 * ConnectionPool.MAX_STREAMS + 1; i++) {
      hanging.add(send());
    }
    assertThat(connectionPool.count()).isEqualTo(3);

    hanging.forEach(request -> request.cancel(true));

    await().atMost(SOON).until(() -> connectionPool.count() == 1);
  }

  @Test
  void a_connection_that_gives_no_answer_is_dropped_with_all_that_is_on_it() {
    server.silent(true);
    var hanging = send();
    connectionPool.probeIdle(
        Duration.ofMillis(100), this::ask); // It is new, and so counts as alive.
    assertThat(asked).hasValue(0);

    connectionPool.probeIdle(Duration.ofMillis(100), this::ask);

    assertThatThrownBy(() -> hanging.get(SOON.toSeconds(), TimeUnit.SECONDS)).isNotNull();
    assertThat(hanging).isCompletedExceptionally();
    assertThat(asked).hasValue(2);
    server.silent(false);
    assertThat(send()).succeedsWithin(SOON);
  }

  @Test
  void a_quiet_connection_that_answers_stays() {
    server.silent(true);
    var hanging = send();
    await().atMost(SOON).until(() -> server.requests() == 1);
    server.silent(false);
    connectionPool.probeIdle(SOON, this::ask);
    connectionPool.probeIdle(SOON, this::ask);

    await().atMost(SOON).until(() -> server.requests() == 2);

    // Asked again only after the answer to the first question.
    await()
        .atMost(SOON)
        .until(
            () -> {
              connectionPool.probeIdle(SOON, this::ask);
              return asked.get() >= 2;
            });
    assertThat(hanging).isNotDone();
    assertThat(built).hasValue(1);
  }

  @Test
  void nothing_is_sent_after_the_end() {
    connectionPool.close();

    assertThat(send()).failsWithin(SOON);
    assertThat(server.requests()).isZero();
  }
}

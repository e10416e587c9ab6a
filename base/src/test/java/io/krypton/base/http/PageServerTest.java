// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PageServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  private static final Duration PATIENT = Duration.ofSeconds(60);

  private final AtomicInteger asked = new AtomicInteger();
  private final ConcurrentLinkedQueue<String> told = new ConcurrentLinkedQueue<>();
  private final PageServerOptions options =
      PageServerOptions.plain(
          new PageServerOptions.Listener() {
            @Override
            public void addressTaken(InetSocketAddress address, String reason, Duration retry) {
              told.add("taken " + address.getPort());
            }

            @Override
            public void pageFailed(PageRequest request, RuntimeException bug) {
              told.add(request + " " + bug.getMessage());
            }
          });
  private final Page pages =
      Page.byPath(
          Map.of(
              "/count", _ -> PageResponse.ok(String.valueOf(asked.incrementAndGet())),
              "/metrics", _ -> PageResponse.metrics("up 1\n"),
              "/empty", _ -> PageResponse.ok(""),
              "/broken",
                  _ -> {
                    throw new IllegalStateException("secret-detail");
                  }));
  private final HttpClient http = HttpClient.newHttpClient();

  @AfterEach
  void stop() {
    http.close();
  }

  @Test
  void a_page_is_asked_anew_for_each_request() throws Exception {
    try (var server = started(pages)) {
      assertThat(get(server, "/count").body()).isEqualTo("1");
      assertThat(get(server, "/count").body()).isEqualTo("2");
    }
  }

  @Test
  void paths_are_exact() throws Exception {
    try (var server = started(pages)) {
      assertThat(get(server, "/metrics").statusCode()).isEqualTo(200);
      for (var path : List.of("/metricsx", "/metrics/", "/metrics/more", "/", "/%6detrics")) {
        assertThat(get(server, path).statusCode()).as(path).isEqualTo(404);
      }
      assertThat(get(server, "/nothing").body()).isEqualTo("404 page not found\n");
    }
  }

  @Test
  void a_response_says_its_type_and_that_nobody_may_keep_it() throws Exception {
    try (var server = started(pages)) {
      assertThat(get(server, "/count").headers().map())
          .containsEntry("content-type", List.of("text/plain; charset=utf-8"))
          .containsEntry("cache-control", List.of("no-cache, private"))
          .containsEntry("x-content-type-options", List.of("nosniff"))
          .containsEntry("content-length", List.of("1"));
      assertThat(get(server, "/metrics").headers().firstValue("Content-Type"))
          .contains("text/plain; version=0.0.4; charset=utf-8");
      assertThat(get(server, "/empty").body()).isEmpty();
    }
  }

  @Test
  void a_page_may_set_headers_and_leave_one_out() throws Exception {
    Page page =
        _ ->
            PageResponse.json(500, "{}")
                .with("X-KMS-Gate-Verdict", "wait")
                .withoutNosniff()
                .withContentType("application/yaml");
    try (var server = started(page)) {
      var response = get(server, "/any/path");

      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.headers().firstValue("X-KMS-Gate-Verdict")).contains("wait");
      assertThat(response.headers().firstValue("Content-Type")).contains("application/yaml");
      assertThat(response.headers().firstValue("X-Content-Type-Options")).isEmpty();
    }
  }

  @Test
  void head_is_get_without_the_body() throws Exception {
    try (var server = started(pages)) {
      var head = send(request(server, "/metrics").method("HEAD", BodyPublishers.noBody()));

      assertThat(head.statusCode()).isEqualTo(200);
      assertThat(head.body()).isEmpty();
      assertThat(head.headers().firstValue("Content-Length")).contains("5");
    }
  }

  @Test
  void other_methods_are_refused_unless_every_one_is_wanted() throws Exception {
    try (var server = started(pages)) {
      var refused = send(request(server, "/count").POST(BodyPublishers.ofString("x")));
      assertThat(refused.statusCode()).isEqualTo(405);
      assertThat(refused.headers().firstValue("Allow")).contains("GET, HEAD");
      assertThat(asked).hasValue(0);
    }
    try (var server = new PageServer(ANY_PORT, pages, options.withEveryMethod()).start()) {
      assertThat(send(request(server, "/count").POST(BodyPublishers.ofString("x"))).body())
          .isEqualTo("1");
    }
  }

  @Test
  void a_large_body_is_not_read() throws Exception {
    try (var server = new PageServer(ANY_PORT, pages, options.withEveryMethod()).start();
        var peer = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      write(peer, "POST /count HTTP/1.1\r\nHost: x\r\nContent-Length: 99999999\r\n\r\n");

      assertThat(peer.getInputStream().readNBytes(12))
          .asString(StandardCharsets.US_ASCII)
          .isEqualTo("HTTP/1.1 413");
      assertThat(asked).hasValue(0);
    }
  }

  /** Takes the ten seconds that a request has. */
  @Test
  void half_a_request_is_awaited_for_a_while_only() throws Exception {
    try (var server = started(pages);
        var peer = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      write(peer, "GET /count HTTP/1.1\r\n");

      assertThat(peer.getInputStream().readAllBytes()).as("closed without a response").isEmpty();
    }
  }

  @Test
  void a_page_that_fails_costs_one_response_and_tells_nothing() throws Exception {
    try (var server = started(pages)) {
      var response = get(server, "/broken?token=abc");

      assertThat(response.statusCode()).isEqualTo(500);
      assertThat(response.body()).isEqualTo("internal server error\n");
      assertThat(told).containsExactly("GET /broken secret-detail");
      assertThat(get(server, "/count").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_guard_decides_before_the_page_by_headers_and_peer() throws Exception {
    Page.Guard guard =
        request ->
            request.header("authorization").contains("Bearer good") && request.isFromLoopback()
                ? Optional.empty()
                : Optional.of(PageResponse.text(401, "no\n"));
    try (var server = started(pages.guardedBy(guard))) {
      assertThat(get(server, "/count").statusCode()).isEqualTo(401);
      assertThat(get(server, "/nothing").statusCode()).isEqualTo(401);
      assertThat(asked).hasValue(0);
      var good = request(server, "/count").header("Authorization", "Bearer good");
      assertThat(send(good).statusCode()).isEqualTo(200);
    }
  }

  @Test
  void a_taken_port_is_named() {
    try (var first = started(pages)) {
      var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());
      assertThatThrownBy(() -> new PageServer(taken, pages, options).start())
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(String.valueOf(first.port()));
    }
  }

  @Test
  void a_taken_port_is_tried_again_until_it_is_free() throws Exception {
    var holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    var wanted = new InetSocketAddress(InetAddress.getLoopbackAddress(), holder.getLocalPort());
    try (var server = new PageServer(wanted, pages, options).startWhenFree(Duration.ofMillis(20))) {
      await().untilAsserted(() -> assertThat(told).isNotEmpty());
      assertThat(server.address()).isEmpty();
      holder.close();

      await().until(() -> server.address().isPresent());
      assertThat(get(server, "/count").statusCode()).isEqualTo(200);
      assertThat(told).containsExactly("taken " + wanted.getPort());
    }
  }

  @Test
  void closing_frees_the_port_and_leaves_no_thread() throws Exception {
    var server = started(pages);
    int port = server.port();
    assertThat(get(server, "/count").statusCode()).isEqualTo(200);
    server.close();

    await().untilAsserted(() -> new ServerSocket(port).close());
    await()
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("HTTP-Dispatcher")));
    assertThat(server.address()).isEmpty();
    assertThatThrownBy(() -> new Socket(InetAddress.getLoopbackAddress(), port))
        .isInstanceOf(ConnectException.class);
  }

  @Test
  void closing_before_the_port_is_free_ends_the_attempts() throws Exception {
    try (var holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var wanted = new InetSocketAddress(InetAddress.getLoopbackAddress(), holder.getLocalPort());
      var server = new PageServer(wanted, pages, options).startWhenFree(Duration.ofMillis(5));
      await().untilAsserted(() -> assertThat(told).isNotEmpty());
      server.close();

      assertThat(server.address()).isEmpty();
    }
  }

  @Test
  void a_stop_lets_a_request_under_way_end() throws Exception {
    var entered = new CountDownLatch(1);
    var leave = new CountDownLatch(1);
    Page slow =
        _ -> {
          entered.countDown();
          leave.await();
          return PageResponse.ok("done");
        };
    var server = new PageServer(ANY_PORT, slow, options.withGrace(PATIENT)).start();
    int port = server.port();
    var response = http.sendAsync(request(server, "/").build(), BodyHandlers.ofString());
    entered.await();
    var stop = CompletableFuture.runAsync(server::close);
    await().untilAsserted(() -> new ServerSocket(port).close());
    leave.countDown();

    assertThat(response.get().body()).isEqualTo("done");
    stop.get();
  }

  @Test
  void a_stop_interrupts_what_does_not_end_in_time() throws Exception {
    var entered = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    Page stuck =
        _ -> {
          entered.countDown();
          try {
            new CountDownLatch(1).await();
          } catch (InterruptedException stopped) {
            interrupted.countDown();
            throw stopped;
          }
          return PageResponse.ok("never");
        };
    var server = new PageServer(ANY_PORT, stuck, options.withGrace(Duration.ZERO)).start();
    var response = http.sendAsync(request(server, "/").build(), BodyHandlers.ofString());
    entered.await();

    server.close();

    interrupted.await();
    assertThatThrownBy(response::get).hasCauseInstanceOf(IOException.class);
  }

  private PageServer started(Page page) {
    return new PageServer(ANY_PORT, page, options).start();
  }

  private static void write(Socket peer, String text) throws IOException {
    peer.getOutputStream().write(text.getBytes(StandardCharsets.US_ASCII));
  }

  private HttpResponse<String> get(PageServer server, String path)
      throws IOException, InterruptedException {
    return send(request(server, path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }

  private static HttpRequest.Builder request(PageServer server, String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path)));
  }
}

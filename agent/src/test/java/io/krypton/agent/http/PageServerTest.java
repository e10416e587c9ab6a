package io.krypton.agent.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.http.PageServer.Page;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PageServerTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private final AtomicInteger asked = new AtomicInteger();

  @Test
  void a_page_is_asked_anew_for_each_request() throws Exception {
    try (var server = started(0)) {
      assertThat(get(server, "/count").body()).isEqualTo("1");
      assertThat(get(server, "/count").body()).isEqualTo("2");
    }
  }

  @Test
  void other_paths_and_methods_are_refused_and_a_broken_page_is_an_error() throws Exception {
    try (var server = started(0)) {
      assertThat(get(server, "/count/more").statusCode()).isEqualTo(404);
      assertThat(send(server, "/count", "POST").statusCode()).isEqualTo(405);
      assertThat(get(server, "/broken").statusCode()).isEqualTo(500);
      assertThat(send(server, "/count", "HEAD").body()).isEmpty();
    }
  }

  @Test
  void a_taken_port_is_tried_again_until_it_is_free() throws Exception {
    var holder = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
    try (var server = started(holder.getLocalPort())) {
      assertThat(server.address()).isEmpty();
      holder.close();

      await().atMost(SOON).until(() -> server.address().isPresent());
      assertThat(get(server, "/count").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void closing_frees_the_port_and_leaves_no_thread() throws Exception {
    var server = started(0);
    await().atMost(SOON).until(() -> server.address().isPresent());
    int port = server.address().orElseThrow().getPort();
    server.close();

    await().atMost(SOON).untilAsserted(() -> new ServerSocket(port).close());
    await()
        .atMost(SOON)
        .untilAsserted(
            () ->
                assertThat(Thread.getAllStackTraces().keySet())
                    .noneMatch(thread -> thread.getName().startsWith("HTTP-Dispatcher")));
  }

  private PageServer started(int port) {
    var server =
        new PageServer(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), port),
            Map.of(
                "/count",
                () -> Page.ok(String.valueOf(asked.incrementAndGet())),
                "/broken",
                () -> {
                  throw new IllegalStateException("for this test");
                }),
            Duration.ofMillis(50));
    server.start();
    return server;
  }

  private static HttpResponse<String> get(PageServer server, String path)
      throws IOException, InterruptedException {
    return send(server, path, "GET");
  }

  private static HttpResponse<String> send(PageServer server, String path, String method)
      throws IOException, InterruptedException {
    await().atMost(SOON).until(() -> server.address().isPresent());
    var port = server.address().orElseThrow().getPort();
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
              .method(method, HttpRequest.BodyPublishers.noBody())
              .build(),
          BodyHandlers.ofString());
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.http.Page;
import io.krypton.operator.observe.Probes.Check;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProbeServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  private final AtomicReference<Optional<String>> problem = new AtomicReference<>(Optional.empty());
  private final Probes probes =
      new Probes(
          List.of(new Check("loops", Optional::empty)),
          List.of(new Check("home-synced", problem::get)),
          () -> List.of("clusters Engaged: 2"));

  @Test
  void probes_answer_ok_until_a_check_names_a_problem() throws Exception {
    try (var server = ProbeServer.start(ANY_PORT, probes.pages())) {
      assertThat(get(server, "/readyz").body()).isEqualTo("ok");
      assertThat(get(server, "/readyz?verbose").body())
          .isEqualTo("[+]home-synced ok\nclusters Engaged: 2\nreadyz check passed\n");

      problem.set(Optional.of("not synced yet"));

      var unready = get(server, "/readyz");
      assertThat(unready.statusCode()).isEqualTo(500);
      assertThat(unready.body())
          .isEqualTo("[-]home-synced failed: not synced yet\nreadyz check failed\n");
      assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(server, "/healthz").statusCode()).isEqualTo(200);
    }
  }

  @Test
  void any_number_of_idle_peers_starve_nobody() throws Exception {
    var idle = new ArrayList<Socket>();
    try (var server = ProbeServer.start(ANY_PORT, probes.pages())) {
      for (var i = 0; i < 600; i++) {
        idle.add(connect(server));
      }
      assertThat(get(server, "/livez").statusCode()).isEqualTo(200);
      assertThat(get(server, "/readyz").statusCode()).isEqualTo(200);
      assertThat(idle.getFirst().getInputStream().read()).as("the eldest made room").isNegative();
    } finally {
      for (var peer : idle) {
        peer.close();
      }
    }
  }

  @Test
  void half_a_request_is_awaited_for_a_while_only() throws Exception {
    try (var server = ProbeServer.start(ANY_PORT, probes.pages(), Duration.ofMillis(100));
        var slow = connect(server)) {
      slow.getOutputStream().write("GET /livez HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

      assertThat(slow.getInputStream().readAllBytes()).as("closed without an answer").isEmpty();
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "GET /livez HTTP/1.1,HTTP/1.1 200 OK,ok",
    "GET /livez HTTP/1.0,HTTP/1.1 200 OK,ok",
    "HEAD /livez HTTP/1.1,HTTP/1.1 200 OK,''",
    "GET /livezz HTTP/1.1,HTTP/1.1 404 Not Found,404 page not found",
    "POST /livez HTTP/1.1,HTTP/1.1 405 Method Not Allowed,405 method not allowed",
    "nonsense,HTTP/1.1 400 Bad Request,400 bad request",
    "GET livez HTTP/1.1,HTTP/1.1 400 Bad Request,400 bad request"
  })
  void one_answer_ends_the_connection(String line, String status, String body) throws Exception {
    try (var server = ProbeServer.start(ANY_PORT, probes.pages());
        var peer = connect(server)) {
      peer.getOutputStream().write((line + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));

      var answer = new String(peer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertThat(answer).startsWith(status + "\r\n").contains("Connection: close\r\n");
      assertThat(answer.substring(answer.indexOf("\r\n\r\n")).strip()).isEqualTo(body);
    }
  }

  @Test
  void a_head_without_end_is_refused() throws Exception {
    try (var server = ProbeServer.start(ANY_PORT, probes.pages());
        var peer = connect(server)) {
      peer.getOutputStream().write("x".repeat(8 * 1024).getBytes(StandardCharsets.US_ASCII));

      var answer = new String(peer.getInputStream().readAllBytes(), StandardCharsets.US_ASCII);

      assertThat(answer).startsWith("HTTP/1.1 400 ");
    }
  }

  @Test
  void a_page_that_fails_costs_one_answer_and_tells_nothing() throws Exception {
    Page failing =
        request -> {
          throw new IllegalStateException("secret-detail");
        };
    try (var server = ProbeServer.start(ANY_PORT, Map.of("/livez", failing))) {
      assertThat(get(server, "/livez").statusCode()).isEqualTo(500);
      assertThat(get(server, "/livez").body()).doesNotContain("secret-detail");
    }
  }

  @Test
  void a_taken_port_is_named() {
    try (var first = ProbeServer.start(ANY_PORT, Map.of())) {
      var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());
      assertThatThrownBy(() -> ProbeServer.start(taken, Map.of()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(String.valueOf(first.port()));
    }
  }

  private static Socket connect(ProbeServer server) throws IOException {
    return new Socket(InetAddress.getLoopbackAddress(), server.port());
  }

  private static HttpResponse<String> get(ProbeServer server, String path)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}

package io.krypton.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpPageServerTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void paths_are_exact() throws Exception {
    try (var service =
        HttpPageServer.start(
            ANY_PORT,
            Map.of("/metrics", query -> HttpPageServer.Response.text(200, "x")),
            ServerSecurity.none())) {
      assertThat(get(service, "/metrics").statusCode()).isEqualTo(200);
      assertThat(get(service, "/metricsx").statusCode()).isEqualTo(404);
      assertThat(get(service, "/metrics/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_page_that_fails_costs_one_answer_and_tells_nothing() throws Exception {
    HttpPageServer.Page failing =
        query -> {
          throw new IllegalStateException("secret-detail");
        };
    try (var service =
        HttpPageServer.start(ANY_PORT, Map.of("/status", failing), ServerSecurity.none())) {
      assertThat(get(service, "/status").statusCode()).isEqualTo(500);
      assertThat(get(service, "/status").body()).doesNotContain("secret-detail");
    }
  }

  @Test
  void a_taken_port_is_named() {
    try (var first = HttpPageServer.start(ANY_PORT, Map.of(), ServerSecurity.none())) {
      var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());
      assertThatThrownBy(() -> HttpPageServer.start(taken, Map.of(), ServerSecurity.none()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(String.valueOf(first.port()));
    }
  }

  @Test
  void a_taken_port_is_told_with_the_flag_that_gave_it() {
    try (var first = HttpPageServer.start(ANY_PORT, Map.of(), ServerSecurity.none())) {
      var taken =
          BindAddress.parse("--metrics-bind-address", "127.0.0.1:%d".formatted(first.port()));
      assertThatThrownBy(
              () ->
                  taken.serve(
                      socket -> HttpPageServer.start(socket, Map.of(), ServerSecurity.none())))
          .hasMessageStartingWith(
              "--metrics-bind-address: cannot listen on 127.0.0.1:%d: ".formatted(first.port()))
          .hasMessageEndingWith("; give another address, or 0 for none");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({":8080,8080", "127.0.0.1:9,9", "[::1]:80,80", "localhost:0,0"})
  void addresses_are_read_as_flags_write_them(String text, int port) {
    assertThat(BindAddress.parse("--x", text).socket().orElseThrow().getPort()).isEqualTo(port);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"8080", ":x", "1.2.3.4", ":70000", "::1:80"})
  void other_texts_are_refused_with_the_remedy(String text) {
    assertThatThrownBy(() -> BindAddress.parse("--metrics-bind-address", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--metrics-bind-address %s is not an address, write for example :8080, 127.0.0.1:8080 or 0 for none"
                .formatted(text));
  }

  @Test
  void zero_switches_the_server_off() {
    assertThat(BindAddress.parse("--x", "0").socket()).isEmpty();
  }

  private static HttpResponse<String> get(HttpPageServer service, String path)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(service.port(), path));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}

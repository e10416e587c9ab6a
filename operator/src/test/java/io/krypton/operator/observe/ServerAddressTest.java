// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.http.Page;
import io.krypton.base.http.PageResponse;
import io.krypton.base.http.PageServer;
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

class ServerAddressTest {
  private static final InetSocketAddress ANY_PORT =
      new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

  @Test
  void paths_are_exact() throws Exception {
    try (var service =
        ServerSecurity.none()
            .serve(ANY_PORT, Map.of("/metrics", request -> PageResponse.ok("x")))) {
      assertThat(get(service, "/metrics").statusCode()).isEqualTo(200);
      assertThat(get(service, "/metricsx").statusCode()).isEqualTo(404);
      assertThat(get(service, "/metrics/").statusCode()).isEqualTo(404);
    }
  }

  @Test
  void a_page_that_fails_costs_one_answer_and_tells_nothing() throws Exception {
    Page failing =
        request -> {
          throw new IllegalStateException("secret-detail");
        };
    try (var service = ServerSecurity.none().serve(ANY_PORT, Map.of("/status", failing))) {
      assertThat(get(service, "/status").statusCode()).isEqualTo(500);
      assertThat(get(service, "/status").body()).doesNotContain("secret-detail");
    }
  }

  @Test
  void a_taken_port_is_named() {
    try (var first = ServerSecurity.none().serve(ANY_PORT, Map.of())) {
      var taken = new InetSocketAddress(InetAddress.getLoopbackAddress(), first.port());
      assertThatThrownBy(() -> ServerSecurity.none().serve(taken, Map.of()))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot listen on")
          .hasMessageContaining(String.valueOf(first.port()));
    }
  }

  @Test
  void a_taken_port_is_told_with_the_flag_that_gave_it() {
    try (var first = ServerSecurity.none().serve(ANY_PORT, Map.of())) {
      var taken =
          ServerAddress.parse("--metrics-bind-address", "127.0.0.1:%d".formatted(first.port()));
      assertThatThrownBy(() -> taken.serve(socket -> ServerSecurity.none().serve(socket, Map.of())))
          .hasMessageStartingWith(
              "--metrics-bind-address: cannot listen on 127.0.0.1:%d: ".formatted(first.port()))
          .hasMessageEndingWith("; give another address, or 0 for none");
    }
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({":8080,8080", "127.0.0.1:9,9", "[::1]:80,80", "localhost:0,0"})
  void addresses_are_read_as_flags_write_them(String text, int port) {
    assertThat(ServerAddress.parse("--x", text).socket().orElseThrow().getPort()).isEqualTo(port);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({"8080", ":x", "1.2.3.4", ":70000", "::1:80"})
  void other_texts_are_refused_with_the_remedy(String text) {
    assertThatThrownBy(() -> ServerAddress.parse("--metrics-bind-address", text))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "--metrics-bind-address %s is not an address, write for example :8080, 127.0.0.1:8080 or 0 for none"
                .formatted(text));
  }

  @Test
  void zero_switches_the_server_off() {
    assertThat(ServerAddress.parse("--x", "0").socket()).isEmpty();
  }

  private static HttpResponse<String> get(PageServer service, String path)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(service.port(), path));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString());
    }
  }
}

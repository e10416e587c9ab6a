// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.krypton.agent.gate.config.GateSettingsFile.HttpHealthz;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import io.krypton.kms.rpc.PluginConnectionPool;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HttpHealthzSignalTest {
  @ParameterizedTest(name = "{0} with http500 {1}: {2}")
  @CsvSource({
    "200, FATAL, OK",
    "503, FATAL, WAIT",
    "429, FATAL, WAIT",
    "404, FATAL, WAIT",
    "302, FATAL, WAIT",
    "500, FATAL, FATAL",
    "500, WAIT, WAIT",
  })
  void what_a_status_means(int status, Verdict on500, Verdict verdict) throws Exception {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/healthz",
        exchange -> {
          try (exchange) {
            var body = "x".repeat(10_000).getBytes(UTF_8);
            exchange.getResponseHeaders().set("Location", "/healthz");
            exchange.sendResponseHeaders(status, body.length);
            exchange.getResponseBody().write(body);
          }
        });
    server.start();
    try {
      var found = ask(server.getAddress().getPort(), on500, Duration.ofSeconds(5));
      assertThat(found.map(ProbeFinding::verdict).orElse(Verdict.OK)).isEqualTo(verdict);
      found.ifPresent(probeFinding -> assertThat(probeFinding.code()).isEqualTo("http:" + status));
    } finally {
      server.stop(0);
    }
  }

  @Test
  void nobody_there_and_nobody_answering_are_waited_for() throws Exception {
    int port;
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = silent.getLocalPort();
      assertThat(ask(port, Verdict.FATAL, Duration.ofMillis(500)))
          .hasValueSatisfying(
              probeFinding -> {
                assertThat(probeFinding.verdict()).isEqualTo(Verdict.WAIT);
                assertThat(probeFinding.message()).isEqualTo("healthz no answer within 500ms");
              });
    }
    assertThat(ask(port, Verdict.FATAL, Duration.ofMillis(500)))
        .hasValueSatisfying(
            probeFinding -> assertThat(probeFinding.verdict()).isEqualTo(Verdict.WAIT));
  }

  private static Optional<ProbeFinding> ask(int port, Verdict on500, Duration timeout)
      throws IOException, InterruptedException {
    var page = new HttpHealthz(URI.create("http://127.0.0.1:%d/healthz".formatted(port)), on500);
    try (var connections = new PluginConnectionPool();
        var connection = connections.open(Endpoint.ofAddress("/nowhere"), () -> {})) {
      return new HttpHealthzSignal(page, timeout)
          .check(new RpcResult.Failure<>(new CallFailure.NoMessage()), connection);
    }
  }
}

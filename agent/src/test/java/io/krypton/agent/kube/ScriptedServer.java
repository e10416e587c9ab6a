// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.kube;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/** An HTTPS server that answers as it is told: for answers a real API server will not give. */
final class ScriptedServer implements AutoCloseable {
  /** What one request looked like. */
  record Seen(String method, String uri, @Nullable String authorization, String body) {}

  /** How to answer one request. */
  interface Script {
    void answer(HttpExchange exchange) throws IOException;
  }

  static final CertificateAuthority AUTHORITY = CertificateAuthority.named("scripted");

  private final HttpsServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final List<Seen> seen = new CopyOnWriteArrayList<>();
  private volatile Script script = status(200, "{}");

  ScriptedServer(String... dnsNames) throws IOException {
    server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(InMemoryTls.server(AUTHORITY.server("scripted", List.of(dnsNames)))));
    server.setExecutor(executor);
    server.createContext(
        "/",
        exchange -> {
          seen.add(
              new Seen(
                  exchange.getRequestMethod(),
                  exchange.getRequestURI().toString(),
                  exchange.getRequestHeaders().getFirst("Authorization"),
                  new String(exchange.getRequestBody().readAllBytes(), UTF_8)));
          script.answer(exchange);
        });
    server.start();
  }

  static Script status(int code, String body, String... headers) {
    return exchange -> {
      for (int i = 0; i < headers.length; i += 2) {
        exchange.getResponseHeaders().set(headers[i], headers[i + 1]);
      }
      exchange.sendResponseHeaders(code, 0);
      try (var out = exchange.getResponseBody()) {
        out.write(body.getBytes(UTF_8));
      }
    };
  }

  void answers(Script next) {
    script = next;
  }

  List<Seen> seen() {
    return seen;
  }

  int port() {
    return server.getAddress().getPort();
  }

  ApiClientConfig access(@Nullable String token) {
    return new ApiClientConfig(
        URI.create("https://127.0.0.1:" + port()),
        null,
        false,
        AUTHORITY.certificatePem(),
        token,
        null);
  }

  @Override
  public void close() {
    server.stop(0);
    executor.shutdownNow();
  }
}

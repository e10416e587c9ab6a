// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executor;

/** Answers every request with the error of the moment, as an API server says it. */
final class ErrorServer implements AutoCloseable {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Map<Integer, String> REASONS =
      Map.of(
          401, "Unauthorized",
          403, "Forbidden",
          429, "TooManyRequests",
          500, "InternalError",
          503, "ServiceUnavailable");

  private final FaultState faults;
  private final HttpServer server;

  ErrorServer(FaultState faults, Optional<IssuedIdentity> identity, Executor threads) {
    this.faults = faults;
    this.server = open(identity);
    server.createContext("/", this::answer);
    server.setExecutor(threads);
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  @Override
  public void close() {
    server.stop(0);
  }

  private static HttpServer open(Optional<IssuedIdentity> identity) {
    var anyPort = new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0);
    try {
      if (identity.isEmpty()) {
        return HttpServer.create(anyPort, 0);
      }
      var server = HttpsServer.create(anyPort, 0);
      server.setHttpsConfigurator(new HttpsConfigurator(InMemoryTls.server(identity.get())));
      return server;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot open a server for error answers", e);
    }
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var answer = faults.lastAnswer();
      exchange.getRequestBody().readAllBytes();
      answer.headers().forEach(exchange.getResponseHeaders()::set);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      // One request for each connection, so that the next one meets the fault of its time.
      exchange.getResponseHeaders().set("Connection", "close");
      var body = status(answer.status());
      var hasBody = !exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(answer.status(), hasBody ? body.length : -1);
      if (hasBody) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private static byte[] status(int code) throws IOException {
    var status = JSON.createObjectNode();
    status.put("kind", "Status").put("apiVersion", "v1").put("status", "Failure");
    status.put("message", "injected by the fault proxy").put("code", code);
    status.put("reason", REASONS.getOrDefault(code, ""));
    status.putObject("metadata");
    return JSON.writeValueAsBytes(status);
  }
}

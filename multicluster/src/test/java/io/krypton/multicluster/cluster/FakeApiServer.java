// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** Speaks just enough HTTP to be probed, and misbehaves on demand, as a real server would not. */
public final class FakeApiServer implements AutoCloseable {
  private final HttpServer server;
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Map<String, String> bodies = new ConcurrentHashMap<>();
  private final Map<String, String> lastHeaders = new ConcurrentHashMap<>();
  private final AtomicInteger requests = new AtomicInteger();
  private volatile int status = 200;
  private volatile boolean silent;
  private volatile String accepted = "";

  private FakeApiServer(HttpServer server) {
    this.server = server;
  }

  public static FakeApiServer start(String uid) throws IOException {
    return start(uid, 0);
  }

  static FakeApiServer start(String uid, int port) throws IOException {
    var address = new InetSocketAddress(InetAddress.getLoopbackAddress(), port);
    var fake = new FakeApiServer(HttpServer.create(address, 0));
    fake.answer("/version", "{\"gitVersion\":\"v1.36.0\"}");
    fake.answer(
        "/api/v1/namespaces/kube-system",
        "{\"kind\":\"Namespace\",\"apiVersion\":\"v1\",\"metadata\":{\"name\":\"kube-system\",\"uid\":\""
            + uid
            + "\"}}");
    fake.server.setExecutor(fake.threads);
    fake.server.createContext("/", fake::handle);
    fake.server.start();
    return fake;
  }

  public void answer(String path, String body) {
    bodies.put(path, body);
  }

  public void status(int code) {
    status = code;
  }

  /** From now on any other token is refused with 401. */
  public void accept(String token) {
    accepted = token;
  }

  /** Accepts requests and says nothing, until told otherwise. */
  public void silent(boolean nothing) {
    silent = nothing;
  }

  public int port() {
    return server.getAddress().getPort();
  }

  public int requests() {
    return requests.get();
  }

  public String lastHeader(String name) {
    return lastHeaders.getOrDefault(name.toLowerCase(Locale.ROOT), "");
  }

  public byte[] kubeconfig(String token) {
    return """
    clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
    users: [{name: u, user: {token: "%s"}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    """
        .formatted(port(), token)
        .getBytes(StandardCharsets.UTF_8);
  }

  private void handle(HttpExchange exchange) throws IOException {
    requests.incrementAndGet();
    exchange
        .getRequestHeaders()
        .forEach(
            (name, values) ->
                lastHeaders.put(name.toLowerCase(Locale.ROOT), String.join(",", values)));
    if (silent) {
      try {
        closing.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
      return;
    }
    var body = bodies.get(exchange.getRequestURI().getPath());
    var bytes = (body == null ? "{}" : body).getBytes(StandardCharsets.UTF_8);
    exchange.getResponseHeaders().add("Content-Type", "application/json");
    try (exchange) {
      exchange.sendResponseHeaders(
          isRefused(exchange) ? 401 : body == null ? 404 : status, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private boolean isRefused(HttpExchange exchange) {
    var shown = exchange.getRequestHeaders().getFirst("Authorization");
    return !accepted.isEmpty() && !("Bearer " + accepted).equals(shown);
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    threads.shutdownNow();
  }
}

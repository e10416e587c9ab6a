// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLContext;

/** Files over HTTP on loopback, with the requests it got. */
final class ChartServer implements AutoCloseable {
  private final HttpServer server;
  private final String scheme;
  private volatile String login = "";
  private final Map<String, byte[]> files = new ConcurrentHashMap<>();
  private final Map<String, Integer> failures = new ConcurrentHashMap<>();
  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final List<String> logins = new CopyOnWriteArrayList<>();
  private final List<String> proxyLogins = new CopyOnWriteArrayList<>();
  private final Map<String, String> redirects = new ConcurrentHashMap<>();

  ChartServer() throws IOException {
    this(HttpServer.create(anyPort(), 0), "http");
  }

  /**
   * Behind TLS.
   *
   * @param asksForCertificate whoever shows none that the context trusts is turned away
   */
  static ChartServer secure(SSLContext context, boolean asksForCertificate) throws IOException {
    var server = HttpsServer.create(anyPort(), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(context) {
          @Override
          public void configure(HttpsParameters parameters) {
            var tls = context.getDefaultSSLParameters();
            tls.setNeedClientAuth(asksForCertificate);
            parameters.setSSLParameters(tls);
          }
        });
    return new ChartServer(server, "https");
  }

  private static InetSocketAddress anyPort() {
    return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
  }

  private ChartServer(HttpServer server, String scheme) {
    this.server = server;
    this.scheme = scheme;
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext("/", this::answer);
    server.start();
  }

  String address() {
    return "127.0.0.1:" + server.getAddress().getPort();
  }

  String url() {
    return scheme + "://" + address();
  }

  int port() {
    return server.getAddress().getPort();
  }

  /** Nothing is served without this user and password. */
  ChartServer requires(String user, String password) {
    login =
        "Basic "
            + Base64.getEncoder()
                .encodeToString((user + ":" + password).getBytes(StandardCharsets.UTF_8));
    return this;
  }

  /** What clients sent as {@code Authorization}, or {@code null}, one for each request. */
  List<String> logins() {
    return List.copyOf(logins);
  }

  /** The same for {@code Proxy-Authorization}. */
  List<String> proxyLogins() {
    return List.copyOf(proxyLogins);
  }

  ChartServer serve(String path, byte[] content) {
    files.put(path, content);
    return this;
  }

  /** Answers with this status instead; 200 ends that. */
  ChartServer fail(String path, int status) {
    failures.put(path, status);
    return this;
  }

  ChartServer redirect(String path, String location) {
    redirects.put(path, location);
    return this;
  }

  List<String> requests() {
    return List.copyOf(requests);
  }

  private void answer(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().getPath();
      requests.add(path);
      var sent = String.valueOf(exchange.getRequestHeaders().getFirst("Authorization"));
      logins.add(sent);
      proxyLogins.add(String.valueOf(exchange.getRequestHeaders().getFirst("Proxy-Authorization")));
      if (!login.isEmpty() && !login.equals(sent)) {
        exchange.getResponseHeaders().set("WWW-Authenticate", "Basic realm=\"charts\"");
        exchange.sendResponseHeaders(401, -1);
        return;
      }
      if (redirects.containsKey(path)) {
        exchange.getResponseHeaders().set("Location", redirects.get(path));
        exchange.sendResponseHeaders(302, -1);
        return;
      }
      var status = failures.getOrDefault(path, 200);
      var content = files.get(path);
      if (status != 200 || content == null) {
        exchange.sendResponseHeaders(status == 200 ? 404 : status, -1);
        return;
      }
      var type = path.contains("/manifests/") ? "application/vnd.oci.image.manifest.v1+json" : null;
      if (type != null) {
        exchange.getResponseHeaders().set("Content-Type", type);
      }
      var head = exchange.getRequestMethod().equals("HEAD");
      exchange.getResponseHeaders().set("Content-Length", Integer.toString(content.length));
      exchange.sendResponseHeaders(200, head ? -1 : content.length);
      if (!head) {
        exchange.getResponseBody().write(content);
      }
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

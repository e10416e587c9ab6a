package io.krypton.operator.observe;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import io.krypton.operator.observe.ServerSecurity.Request;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * An HTTP or HTTPS server with a few exact paths; each request runs on a virtual thread of its own.
 */
public final class HttpPageServer implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(HttpPageServer.class);

  /** What a path answers; the query is empty when there is none. */
  @FunctionalInterface
  public interface Page {
    Response respond(String query);
  }

  /** A whole answer; pages are small. */
  public record Response(int status, String contentType, String body, Map<String, String> headers) {
    public Response {
      headers = Map.copyOf(headers);
    }

    public Response(int status, String contentType, String body) {
      this(status, contentType, body, Map.of());
    }

    public static Response text(int status, String body) {
      return new Response(status, "text/plain; charset=utf-8", body);
    }

    public Response with(String header, String value) {
      var more = new HashMap<>(headers);
      more.put(header, value);
      return new Response(status, contentType, body, more);
    }
  }

  private final HttpServer server;
  private final ExecutorService requests;
  private final Map<String, Page> pages;
  private final ServerSecurity security;

  private HttpPageServer(
      HttpServer server,
      ExecutorService requests,
      Map<String, Page> pages,
      ServerSecurity serverSecurity) {
    this.server = server;
    this.requests = requests;
    this.pages = Map.copyOf(pages);
    this.security = serverSecurity;
  }

  /**
   * Starts listening; the address is taken when this returns.
   *
   * @param serverSecurity TLS, and who may see the pages
   * @throws UncheckedIOException with a text for users when the address cannot be had
   */
  public static HttpPageServer start(
      InetSocketAddress address, Map<String, Page> pages, ServerSecurity serverSecurity) {
    try {
      var server = open(address, serverSecurity);
      var requests =
          Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("http-", 0).factory());
      var service = new HttpPageServer(server, requests, pages, serverSecurity);
      server.setExecutor(requests);
      // The server matches by prefix; one context and an exact look-up keep /healthzzz a 404.
      server.createContext("/", service::serve);
      server.start();
      return service;
    } catch (IOException failed) {
      throw BindAddress.bindFailure(address, failed);
    }
  }

  /** The port in use, also when 0 was asked for. */
  public int port() {
    return server.getAddress().getPort();
  }

  @Override
  public void close() {
    server.stop(0);
    requests.shutdownNow();
  }

  private static HttpServer open(InetSocketAddress address, ServerSecurity serverSecurity)
      throws IOException {
    if (serverSecurity.tls().isEmpty()) {
      return HttpServer.create(address, 0);
    }
    var server = HttpsServer.create(address, 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(serverSecurity.tls().get().context()) {
          @Override
          public void configure(HttpsParameters unused) {
            // What is inherited would put the JVM's defaults in place of the context's settings.
          }
        });
    return server;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      closeIfOutdated(exchange);
      var refusal = security.authorizer().refusal(Request.of(exchange));
      send(exchange, refusal.orElseGet(() -> respond(exchange.getRequestURI())));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection outlives the TLS settings it was made with by one answer. */
  private void closeIfOutdated(HttpExchange exchange) {
    if (exchange instanceof HttpsExchange secure
        && security.tls().isPresent()
        && !security.tls().get().isCurrent(secure.getSSLSession())) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
  }

  private Response respond(URI uri) {
    var page = pages.get(uri.getPath());
    var query = uri.getRawQuery() == null ? "" : uri.getRawQuery();
    return page == null ? Response.text(404, "404 page not found\n") : respondSafely(page, query);
  }

  static Response respondSafely(Page page, String query) {
    try {
      return page.respond(query);
    } catch (RuntimeException bug) {
      log.error("a page failed", bug);
      return Response.text(500, "internal server error\n");
    }
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    var body = response.body().getBytes(StandardCharsets.UTF_8);
    var headers = exchange.getResponseHeaders();
    response.headers().forEach(headers::set);
    headers.set("Content-Type", response.contentType());
    headers.set("Cache-Control", "no-cache, private");
    headers.set("X-Content-Type-Options", "nosniff");
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(response.status(), -1);
    } else {
      exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
      exchange.getResponseBody().write(body);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;

/**
 * An HTTP or HTTPS server of small pages. Each request runs on a virtual thread of its own; a slow
 * or silent peer is cut off, and a page that fails costs one response and tells nothing.
 *
 * <p>A taken address is an error for {@link #start}; {@link #startWhenFree} tries again until it is
 * free, because two processes may overlap for a while when a pod is replaced.
 */
public final class PageServer implements AutoCloseable {
  private static final long MAX_BODY = 64 * 1024;

  private final InetSocketAddress wanted;
  private final Page page;
  private final PageServerOptions options;
  private final ExecutorService requests =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("page-", 0).factory());
  private @Nullable HttpServer server;
  private @Nullable Thread binder;
  private boolean closed;

  /** Prepares a server; nothing happens before one of the start methods. */
  public PageServer(InetSocketAddress address, Page page, PageServerOptions options) {
    this.wanted = address;
    this.page = page;
    this.options = options;
  }

  /**
   * Starts listening; the address is taken when this returns.
   *
   * @throws UncheckedIOException with a text for users when the address cannot be had
   */
  public PageServer start() {
    try {
      bind();
      return this;
    } catch (IOException failed) {
      requests.shutdownNow();
      throw new UncheckedIOException(
          "cannot listen on %s:%d: %s"
              .formatted(wanted.getHostString(), wanted.getPort(), failed.getMessage()),
          failed);
    }
  }

  /** Returns at once; the pages follow as soon as the address is free. */
  public synchronized PageServer startWhenFree(Duration retry) {
    binder = Thread.ofVirtual().name("page-server").start(() -> bindWhenFree(retry));
    return this;
  }

  /** Where it listens, with the real port; empty while the address is taken and after the end. */
  public synchronized Optional<InetSocketAddress> address() {
    return closed ? Optional.empty() : Optional.ofNullable(server).map(HttpServer::getAddress);
  }

  /**
   * The port in use, also when 0 was asked for.
   *
   * @throws IllegalStateException while it does not listen
   */
  public int port() {
    return address()
        .orElseThrow(() -> new IllegalStateException("not listening on " + wanted))
        .getPort();
  }

  private void bindWhenFree(Duration retry) {
    var lastFailure = "";
    try {
      while (true) {
        try {
          bind();
          return;
        } catch (IOException failed) {
          var failure = String.valueOf(failed.getMessage());
          if (!failure.equals(lastFailure)) {
            options.listener().addressTaken(wanted, failure, retry);
            lastFailure = failure;
          }
        }
        Thread.sleep(retry);
      }
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized void bind() throws IOException {
    if (closed) {
      return;
    }
    ConnectionLimits.apply();
    var fresh = open();
    fresh.setExecutor(requests);
    // The server matches by prefix; one context leaves the choice to the page.
    fresh.createContext("/", this::serve);
    fresh.start();
    server = fresh;
  }

  private HttpServer open() throws IOException {
    if (options.tls().isEmpty()) {
      return HttpServer.create(wanted, 0);
    }
    var secure = HttpsServer.create(wanted, 0);
    secure.setHttpsConfigurator(
        new HttpsConfigurator(options.tls().get().context()) {
          @Override
          public void configure(HttpsParameters unused) {
            // What is inherited would put the JVM's defaults in place of the context's settings.
          }
        });
    return secure;
  }

  private void serve(HttpExchange exchange) throws IOException {
    try (exchange) {
      closeIfOutdated(exchange);
      send(exchange, respond(exchange));
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  /** A connection outlives the TLS settings it was made with by one response. */
  private void closeIfOutdated(HttpExchange exchange) {
    if (exchange instanceof HttpsExchange secure
        && !options.tls().orElseThrow().isCurrent(secure.getSSLSession())) {
      exchange.getResponseHeaders().set("Connection", "close");
    }
  }

  private PageResponse respond(HttpExchange exchange) throws InterruptedException {
    var request = PageRequest.of(exchange);
    var method = request.method();
    if (!options.everyMethod() && !method.equals("GET") && !method.equals("HEAD")) {
      return PageResponse.text(405, "405 method not allowed\n").with("Allow", "GET, HEAD");
    }
    if (bodyLength(request) > MAX_BODY) {
      return PageResponse.text(413, "413 content too large\n").with("Connection", "close");
    }
    try {
      return page.respond(request);
    } catch (RuntimeException bug) {
      options.listener().pageFailed(request, bug);
      return PageResponse.text(500, "internal server error\n");
    }
  }

  private static long bodyLength(PageRequest request) {
    var length = request.header("Content-Length");
    // The JDK's server has checked that it is a number.
    return length.isEmpty() ? 0 : Long.parseLong(length.getFirst());
  }

  private static void send(HttpExchange exchange, PageResponse response) throws IOException {
    var headers = exchange.getResponseHeaders();
    response.headers().forEach(headers::set);
    var body = response.body().getBytes(UTF_8);
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length == 0 ? -1 : body.length);
    exchange.getResponseBody().write(body);
    // Before the exchange ends, which first waits for a body that nobody reads.
    exchange.getResponseBody().flush();
  }

  /** Listens no more, lets requests under way end for a while, then interrupts them. */
  @Override
  public void close() {
    HttpServer running;
    synchronized (this) {
      closed = true;
      running = server;
      if (binder != null) {
        binder.interrupt();
      }
    }
    if (running != null) {
      running.stop(Math.toIntExact(options.grace().plusNanos(999_999_999).toSeconds()));
    }
    requests.shutdownNow();
  }
}

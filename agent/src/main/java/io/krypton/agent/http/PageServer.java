package io.krypton.agent.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a few plain text pages over HTTP. A taken port is no reason to stop: it is tried again
 * until it is free, because two programs may overlap for a while when a pod is replaced.
 */
public final class PageServer implements AutoCloseable {
  public static final Duration RETRY = Duration.ofSeconds(30);

  private static final Logger log = LoggerFactory.getLogger(PageServer.class);

  private final InetSocketAddress requestedAddress;
  private final Map<String, Supplier<Page>> pages;
  private final Duration retry;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread binder = Thread.ofVirtual().name("local-server").unstarted(this::bind);
  private @Nullable HttpServer server;
  private boolean closed;

  /**
   * Prepares a server; nothing happens before {@link #start}.
   *
   * @param pages by exact path; each is asked anew for every request
   */
  public PageServer(InetSocketAddress wanted, Map<String, Supplier<Page>> pages, Duration retry) {
    this.requestedAddress = wanted;
    this.pages = Map.copyOf(pages);
    this.retry = retry;
  }

  /** Returns at once; the pages follow as soon as the address is free. */
  public void start() {
    binder.start();
  }

  /** Where it listens, with the real port; empty while the address is taken. */
  public synchronized Optional<InetSocketAddress> address() {
    return Optional.ofNullable(server).map(HttpServer::getAddress);
  }

  private void bind() {
    var lastFailure = "";
    try {
      while (true) {
        var failure = tryBind();
        if (failure.isEmpty()) {
          return;
        }
        if (!failure.get().equals(lastFailure)) {
          lastFailure = failure.get();
          log.atWarn()
              .addKeyValue("address", requestedAddress)
              .addKeyValue("retrySeconds", retry.toSeconds())
              .log("the local pages have no address yet: {}", lastFailure);
        }
        Thread.sleep(retry);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private synchronized Optional<String> tryBind() {
    if (closed) {
      return Optional.empty();
    }
    limitConnections();
    try {
      var fresh = HttpServer.create(requestedAddress, 0);
      fresh.setExecutor(executor);
      fresh.createContext("/", this::handle);
      fresh.start();
      server = fresh;
      return Optional.empty();
    } catch (IOException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }

  /** By default the JDK's server waits for ever for a slow peer; it reads these once. */
  private static void limitConnections() {
    setUnlessSet("sun.net.httpserver.maxReqTime", "10");
    setUnlessSet("sun.net.httpserver.maxRspTime", "30");
    setUnlessSet("jdk.httpserver.maxConnections", "256");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var page = page(exchange.getRequestMethod(), exchange.getRequestURI().getPath());
      var body = page.body().getBytes(UTF_8);
      exchange.getResponseHeaders().set("Content-Type", "text/plain; version=0.0.4; charset=utf-8");
      exchange.getResponseHeaders().set("X-Content-Type-Options", "nosniff");
      boolean withBody = !exchange.getRequestMethod().equals("HEAD");
      exchange.sendResponseHeaders(page.status(), withBody ? body.length : -1);
      if (withBody) {
        exchange.getResponseBody().write(body);
      }
    }
  }

  private Page page(String method, String path) {
    if (!method.equals("GET") && !method.equals("HEAD")) {
      return new Page(405, "GET only\n");
    }
    var page = pages.get(path);
    if (page == null) {
      return new Page(404, "no such page\n");
    }
    try {
      return page.get();
    } catch (RuntimeException e) {
      log.error("a local page failed", e);
      return new Page(500, "internal error\n");
    }
  }

  @Override
  public void close() {
    binder.interrupt();
    synchronized (this) {
      closed = true;
      if (server != null) {
        server.stop(0);
      }
    }
    executor.shutdownNow();
  }

  /** What a local page says right now. */
  public record Page(int status, String body) {
    public static Page ok(String body) {
      return new Page(200, body);
    }

    /** The usual answer of a probe: {@code ok}, or 503 and what is wrong. */
    public static Page probe(boolean good, String otherwise) {
      return good ? ok("ok\n") : new Page(503, otherwise + "\n");
    }
  }
}

package io.krypton.agent.gate.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.serve.HealthPages.Response;
import io.krypton.kms.probe.Ticker;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTP server of the gate. A request reads one snapshot: no call to a plugin, no lock and no
 * file is on its way. A taken port is tried again, because two gates may overlap for a while.
 */
public final class GateServer implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(GateServer.class);
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final InetSocketAddress requestedAddress;
  private final GateRequestHandler handler;
  private final LogWatchdog logWatchdog;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final Thread binder = Thread.ofVirtual().name("gate-server").unstarted(this::bind);
  private @Nullable HttpServer server;
  private boolean closed;

  /**
   * Prepares a server; nothing happens before {@link #start}.
   *
   * @param flushLog brings out what is logged, and blocks if that is impossible
   */
  public GateServer(GateSettings settings, GateController gateController, Runnable flushLog) {
    this.requestedAddress = settings.listen();
    this.logWatchdog = new LogWatchdog(flushLog, Ticker.system());
    this.handler = new GateRequestHandler(settings, gateController, logWatchdog::fault);
  }

  /** Returns at once; the pages follow as soon as the address is free. */
  public void start() {
    logWatchdog.start();
    binder.start();
  }

  /** Where it listens, with the real port; empty while the address is taken. */
  public synchronized Optional<InetSocketAddress> address() {
    return Optional.ofNullable(server).map(HttpServer::getAddress);
  }

  /** From now on not ready; everything else stays as it is. */
  public void shutDown() {
    handler.shutDown();
  }

  private void bind() {
    var lastFailure = "";
    try {
      while (true) {
        var failure = tryBind();
        if (failure.isEmpty()) {
          return;
        }
        if (!failure.equals(lastFailure)) {
          lastFailure = failure;
          LOG.atWarn()
              .addKeyValue("address", requestedAddress)
              .addKeyValue("retrySeconds", RETRY.toSeconds())
              .log("the gate has no address yet: {}", failure);
        }
        Thread.sleep(RETRY);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /** What prevents it; empty if nothing does. */
  private synchronized String tryBind() {
    if (closed) {
      return "";
    }
    limitConnections();
    try {
      var fresh = HttpServer.create(requestedAddress, 0);
      fresh.setExecutor(executor);
      fresh.createContext("/", this::handle);
      fresh.start();
      server = fresh;
      return "";
    } catch (IOException e) {
      return String.valueOf(e.getMessage());
    }
  }

  /** By default the JDK's server waits for ever for a slow peer; it reads these once. */
  private static void limitConnections() {
    setUnlessSet("sun.net.httpserver.maxReqTime", "10");
    setUnlessSet("sun.net.httpserver.maxRspTime", "30");
    setUnlessSet("jdk.httpserver.maxConnections", "256");
    // Without it every answer waits for the acknowledgement of its own head.
    setUnlessSet("sun.net.httpserver.nodelay", "true");
  }

  private static void setUnlessSet(String property, String value) {
    if (System.getProperty(property) == null) {
      System.setProperty(property, value);
    }
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var uri = exchange.getRequestURI();
      var response =
          handler.handle(
              new HealthPages.Request(
                  Objects.requireNonNullElse(uri.getRawPath(), ""),
                  uri.getRawQuery(),
                  exchange.getRemoteAddress().getAddress().isLoopbackAddress()));
      send(exchange, response);
    } catch (RuntimeException e) {
      LOG.error("a request could not be answered", e);
      throw e;
    }
  }

  private static void send(HttpExchange exchange, Response response) throws IOException {
    var headers = exchange.getResponseHeaders();
    headers.set("Content-Type", response.contentType());
    headers.set("Cache-Control", "no-cache, private");
    if (response.nosniff()) {
      headers.set("X-Content-Type-Options", "nosniff");
    }
    if (!response.verdict().isEmpty()) {
      headers.set("X-KMS-Gate-Verdict", response.verdict());
    }
    var body = response.body().getBytes(UTF_8);
    if (exchange.getRequestMethod().equals("HEAD")) {
      headers.set("Content-Length", Integer.toString(body.length));
      exchange.sendResponseHeaders(response.status(), -1);
      return;
    }
    exchange.sendResponseHeaders(response.status(), body.length);
    exchange.getResponseBody().write(body);
  }

  @Override
  public void close() {
    binder.interrupt();
    logWatchdog.close();
    synchronized (this) {
      closed = true;
      if (server != null) {
        server.stop(0);
      }
    }
    executor.shutdownNow();
  }

  /** Flushes the log now and then: if that blocks, the process talks to nobody any more. */
  static final class LogWatchdog implements AutoCloseable {
    static final Duration LIMIT = Duration.ofMinutes(2);
    private static final Duration PERIOD = Duration.ofSeconds(10);

    private final Runnable flush;
    private final Ticker ticker;
    private final Thread thread =
        Thread.ofPlatform().daemon().name("log-pulse").unstarted(this::flushPeriodically);
    private volatile Duration last;

    LogWatchdog(Runnable flush, Ticker ticker) {
      this.flush = flush;
      this.ticker = ticker;
      this.last = ticker.now();
    }

    void start() {
      thread.start();
    }

    private void flushPeriodically() {
      try {
        while (true) {
          flush.run();
          last = ticker.now();
          Thread.sleep(PERIOD);
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    /** What is wrong; empty if nothing is. */
    String fault() {
      return ticker.now().minus(last).compareTo(LIMIT) > 0 ? "logging blocked" : "";
    }

    @Override
    public void close() {
      thread.interrupt();
    }
  }
}

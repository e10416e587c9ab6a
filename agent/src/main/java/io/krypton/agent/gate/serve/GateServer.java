// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.http.PageServerLog;
import io.krypton.base.http.PageServer;
import io.krypton.base.http.PageServerOptions;
import io.krypton.kms.probe.Ticker;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;

/**
 * The HTTP server of the gate. A request reads one snapshot: it calls no plugin, takes no lock and
 * reads no file. A taken port is retried, because two gates may overlap for a while.
 */
public final class GateServer implements AutoCloseable {
  private static final Duration RETRY = Duration.ofSeconds(5);

  private final GateRequestHandler handler;
  private final LogWatchdog logWatchdog;
  private final PageServer server;

  /**
   * Prepares a server; nothing happens before {@link #start}.
   *
   * @param flushLog writes out what is logged, and blocks while that is impossible
   */
  public GateServer(GateSettings settings, GateController controller, Runnable flushLog) {
    this.logWatchdog = new LogWatchdog(flushLog, Ticker.system());
    this.handler = new GateRequestHandler(settings, controller, logWatchdog::fault);
    this.server =
        new PageServer(
            settings.listen(),
            handler::handle,
            PageServerOptions.plain(new PageServerLog())
                .withEveryMethod()
                .withGrace(Duration.ZERO));
  }

  /** Returns at once; the pages follow as soon as the address is free. */
  public void start() {
    logWatchdog.start();
    server.startWhenFree(RETRY);
  }

  /** Where it listens, with the real port; empty while the address is taken. */
  public Optional<InetSocketAddress> address() {
    return server.address();
  }

  /** From now on not ready; everything else stays as it is. */
  public void shutDown() {
    handler.shutDown();
  }

  @Override
  public void close() {
    logWatchdog.close();
    server.close();
  }

  /** Flushes the log periodically: while that blocks, the gate reports itself as not alive. */
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

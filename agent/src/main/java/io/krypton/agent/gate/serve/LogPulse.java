package io.krypton.agent.gate.serve;

import io.krypton.kms.probe.Ticker;
import java.time.Duration;

/** Flushes the log now and then: if that blocks, the process talks to nobody any more. */
final class LogPulse implements AutoCloseable {
  static final Duration LIMIT = Duration.ofMinutes(2);
  private static final Duration PERIOD = Duration.ofSeconds(10);

  private final Runnable flush;
  private final Ticker ticker;
  private final Thread thread =
      Thread.ofPlatform().daemon().name("log-pulse").unstarted(this::beat);
  private volatile Duration last;

  LogPulse(Runnable flush, Ticker ticker) {
    this.flush = flush;
    this.ticker = ticker;
    this.last = ticker.now();
  }

  void start() {
    thread.start();
  }

  private void beat() {
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

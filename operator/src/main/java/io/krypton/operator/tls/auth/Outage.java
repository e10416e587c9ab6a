package io.krypton.operator.tls.auth;

import java.time.Duration;
import java.util.function.LongSupplier;

/** After a review failed nobody asks for a while: each asker would wait in vain. */
final class Outage {
  private final Duration pause;
  private final LongSupplier nanoTime;
  private boolean failed;
  private long at;

  Outage(Duration pause, LongSupplier nanoTime) {
    this.pause = pause;
    this.nanoTime = nanoTime;
  }

  synchronized void failed() {
    failed = true;
    at = nanoTime.getAsLong();
  }

  synchronized void ended() {
    failed = false;
  }

  synchronized boolean isFresh() {
    return failed && nanoTime.getAsLong() - at < pause.toNanos();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.time.Duration;

/** Waiting for something that only polling can tell. */
public final class Polling {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Whoever is asked is also measured: its answers must not cost more than its work. */
  private static final Duration POLL = Duration.ofMillis(150);

  private static final Duration SHORT_POLL = Duration.ofMillis(4);

  private Polling() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  public static void until(String what, Condition condition) throws Exception {
    until(what, condition, POLL);
  }

  /** Waits with short pauses, and tells how long it took. */
  public static Duration timed(String what, Condition condition) throws Exception {
    var begun = System.nanoTime();
    until(what, condition, SHORT_POLL);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static void until(String what, Condition condition, Duration pause) throws Exception {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not within %s: %s".formatted(LIMIT, what));
      }
      Thread.sleep(pause);
    }
  }
}

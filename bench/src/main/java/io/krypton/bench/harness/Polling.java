// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import java.time.Duration;
import java.util.function.UnaryOperator;

/** Waiting for something that only polling can tell. */
public final class Polling {
  private static final Duration LIMIT = Duration.ofMinutes(10);

  /** Whoever is asked is also measured: its answers must not cost more than its work. */
  private static final Duration POLL = Duration.ofMillis(150);

  /** What takes a second must not be measured by a tenth of it. */
  private static final int POLLS = 20;

  private static final Duration SHORT_POLL = Duration.ofMillis(4);

  private Polling() {}

  /** What is waited for. */
  @FunctionalInterface
  public interface Condition {
    boolean holds() throws Exception;
  }

  /** Finds out late by a twentieth of the time it took, at most. */
  public static void until(String what, Condition condition) throws Exception {
    until(what, condition, Polling::pause);
  }

  static Duration pause(Duration waited) {
    var share = waited.dividedBy(POLLS);
    return share.compareTo(SHORT_POLL) < 0 ? SHORT_POLL : share.compareTo(POLL) > 0 ? POLL : share;
  }

  /** Waits with short pauses, and tells how long it took. */
  public static Duration timed(String what, Condition condition) throws Exception {
    var begun = System.nanoTime();
    until(what, condition, waited -> SHORT_POLL);
    return Duration.ofNanos(System.nanoTime() - begun);
  }

  private static void until(String what, Condition condition, UnaryOperator<Duration> pause)
      throws Exception {
    var begun = System.nanoTime();
    while (!condition.holds()) {
      var waited = Duration.ofNanos(System.nanoTime() - begun);
      if (waited.compareTo(LIMIT) > 0) {
        throw new IllegalStateException("not within %s: %s".formatted(LIMIT, what));
      }
      Thread.sleep(pause.apply(waited));
    }
  }
}

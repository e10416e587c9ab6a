package io.krypton.kms.probe;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;

/** Ten probes a minute may jump the queue, so that a plugin in a crash loop is not hammered. */
final class FastLane {
  private static final int PER_WINDOW = 10;
  private static final Duration WINDOW = Duration.ofMinutes(1);

  private final Deque<Duration> used = new ArrayDeque<>();

  boolean take(Duration now) {
    while (!used.isEmpty() && now.minus(used.peekFirst()).compareTo(WINDOW) >= 0) {
      used.removeFirst();
    }
    if (used.size() >= PER_WINDOW) {
      return false;
    }
    used.addLast(now);
    return true;
  }
}

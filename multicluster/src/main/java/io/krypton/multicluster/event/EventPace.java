package io.krypton.multicluster.event;

import java.time.Duration;

/**
 * How fast events are told. A few go out as they come. The rest of a burst comes with a burst of
 * work on the same cluster: while news keeps coming it is told slowly, since words shall not hold
 * up work, and quickly once there is calm. Not thread-safe.
 */
final class EventPace {
  /**
   * The numbers.
   *
   * @param atOnce how many are told without a pause
   * @param inBurst the pause between further ones while news keeps coming
   * @param inCalm the pause between them afterwards
   * @param calmAfter how long there must have been no news
   * @param crowd so many waiting ones are told as if there was calm, or some would be dropped
   */
  record Steps(int atOnce, Duration inBurst, Duration inCalm, Duration calmAfter, int crowd) {
    static Steps standard() {
      return new Steps(
          50, Duration.ofMillis(200), Duration.ofMillis(20), Duration.ofSeconds(1), 1000);
    }
  }

  private final Steps steps;
  private double allowed;
  private long counted;

  EventPace(Steps steps, long now) {
    this.steps = steps;
    this.allowed = steps.atOnce();
    this.counted = now;
  }

  /**
   * Takes the next turn, and answers how many nanoseconds to wait for it.
   *
   * @param now on the same clock as
   * @param lastNews when something was announced last
   */
  long reserve(long now, long lastNews, int waiting) {
    var calm = now - lastNews >= steps.calmAfter().toNanos() || waiting >= steps.crowd();
    var pause = (calm ? steps.inCalm() : steps.inBurst()).toNanos();
    allowed = Math.min(steps.atOnce(), allowed + (double) (now - counted) / pause) - 1;
    counted = now;
    return allowed >= 0 ? 0 : (long) (-allowed * pause);
  }
}

package io.krypton.multicluster.event;

import io.krypton.multicluster.event.EventRecorder.EventLimits;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/** What waits to be told: warnings first, at a pace that leaves room for work. */
final class EventQueue {
  /** An announcement, and when it was made: it may be told a good while later. */
  record PendingEvent(EventMessage announcement, Instant since, long number) {}

  private static final Comparator<PendingEvent> WARNINGS_FIRST =
      Comparator.comparing((PendingEvent it) -> it.announcement().type())
          .reversed()
          .thenComparingLong(PendingEvent::number);

  private final PriorityBlockingQueue<PendingEvent> waiting =
      new PriorityBlockingQueue<>(16, WARNINGS_FIRST);
  private final AtomicLong numbers = new AtomicLong();
  private final EventLimits limits;
  private final LongSupplier nanoTime;
  private final InstantSource wallClock;
  private final EventRateLimiter rateLimiter;
  private volatile long lastOfferAt;

  EventQueue(EventLimits limits, LongSupplier nanoTime, InstantSource wallClock) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.wallClock = wallClock;
    this.lastOfferAt = nanoTime.getAsLong();
    this.rateLimiter = new EventRateLimiter(limits.rates(), lastOfferAt);
  }

  /** False if too many wait already. */
  boolean offer(EventMessage eventMessage) {
    lastOfferAt = nanoTime.getAsLong();
    return waiting.size() < limits.maxPending()
        && waiting.offer(
            new PendingEvent(eventMessage, wallClock.instant(), numbers.incrementAndGet()));
  }

  /** The next one to tell, when its time has come. For one thread only. */
  PendingEvent take() throws InterruptedException {
    var next = waiting.take();
    var pause = rateLimiter.reserve(nanoTime.getAsLong(), lastOfferAt, waiting.size());
    if (pause <= 0) {
      return next;
    }
    // What is more urgent may come meanwhile.
    waiting.add(next);
    TimeUnit.NANOSECONDS.sleep(pause);
    return waiting.take();
  }

  /**
   * How fast events are told. A few go out as they come. The rest of a burst comes with a burst of
   * work on the same cluster: while news keeps coming it is told slowly, since words shall not hold
   * up work, and quickly once there is calm. Not thread-safe.
   */
  static final class EventRateLimiter {
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

    EventRateLimiter(Steps steps, long now) {
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
}

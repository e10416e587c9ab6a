// SPDX-License-Identifier: Apache-2.0
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

/** Pending events: warnings first, rate limited so that other requests are not delayed. */
final class EventQueue {
  /** An event and when it happened: it may be sent much later. */
  record PendingEvent(EventMessage message, Instant since, long number) {}

  private static final Comparator<PendingEvent> WARNINGS_FIRST =
      Comparator.comparing((PendingEvent it) -> it.message().type())
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

  /** False if the queue is full. */
  boolean offer(EventMessage eventMessage) {
    lastOfferAt = nanoTime.getAsLong();
    return waiting.size() < limits.maxPending()
        && waiting.offer(
            new PendingEvent(eventMessage, wallClock.instant(), numbers.incrementAndGet()));
  }

  /** Waits for the next event and the rate limit. For one thread only. */
  PendingEvent take() throws InterruptedException {
    var next = waiting.take();
    var pause = rateLimiter.reserve(nanoTime.getAsLong(), lastOfferAt, waiting.size());
    if (pause <= 0) {
      return next;
    }
    // A more urgent event may arrive meanwhile.
    waiting.add(next);
    TimeUnit.NANOSECONDS.sleep(pause);
    return waiting.take();
  }

  /**
   * Limits the rate of events. A few are sent at once. The rest of a burst is sent slowly while
   * events keep coming, since they must not delay the work they report, and quickly once the burst
   * is over. Not thread-safe.
   */
  static final class EventRateLimiter {
    /**
     * The rates.
     *
     * @param atOnce events without a delay
     * @param inBurst delay between further events during a burst
     * @param whenIdle delay between them afterwards
     * @param idleAfter time without a new event that ends a burst
     * @param maxBacklog with so many pending events the burst counts as over, or some would be
     *     dropped
     */
    record Rates(
        int atOnce, Duration inBurst, Duration whenIdle, Duration idleAfter, int maxBacklog) {
      static Rates standard() {
        return new Rates(
            50, Duration.ofMillis(200), Duration.ofMillis(20), Duration.ofSeconds(1), 1000);
      }
    }

    private final Rates rates;
    private double allowed;
    private long counted;

    EventRateLimiter(Rates rates, long now) {
      this.rates = rates;
      this.allowed = rates.atOnce();
      this.counted = now;
    }

    /**
     * Reserves the next event and returns the delay in nanoseconds.
     *
     * @param now on the same clock as {@code lastOfferAt}
     * @param lastOfferAt when an event was offered last
     */
    long reserve(long now, long lastOfferAt, int waiting) {
      var idle = now - lastOfferAt >= rates.idleAfter().toNanos() || waiting >= rates.maxBacklog();
      var pause = (idle ? rates.whenIdle() : rates.inBurst()).toNanos();
      allowed = Math.min(rates.atOnce(), allowed + (double) (now - counted) / pause) - 1;
      counted = now;
      return allowed >= 0 ? 0 : (long) (-allowed * pause);
    }
  }
}

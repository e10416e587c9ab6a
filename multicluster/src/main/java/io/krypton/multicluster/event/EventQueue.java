package io.krypton.multicluster.event;

import java.time.Instant;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.concurrent.PriorityBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;

/**
 * What waits to be told. A burst is told at the pace of a reader, because it comes with a burst of
 * work on the same cluster, and words shall not hold up work. Warnings go first.
 */
final class EventQueue {
  /** An announcement, and when it was made: it may be told a good while later. */
  record Waiting(Announcement announcement, Instant since, long number) {}

  private static final Comparator<Waiting> WARNINGS_FIRST =
      Comparator.comparing((Waiting it) -> it.announcement().type())
          .reversed()
          .thenComparingLong(Waiting::number);

  private final PriorityBlockingQueue<Waiting> waiting =
      new PriorityBlockingQueue<>(16, WARNINGS_FIRST);
  private final AtomicLong numbers = new AtomicLong();
  private final EventLimits limits;
  private final LongSupplier nanoTime;
  private final InstantSource wallClock;
  private long paidUntil;

  EventQueue(EventLimits limits, LongSupplier nanoTime, InstantSource wallClock) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.wallClock = wallClock;
    this.paidUntil = nanoTime.getAsLong();
  }

  /** False if too many wait already. */
  boolean offer(Announcement announcement) {
    return waiting.size() < limits.waiting()
        && waiting.offer(new Waiting(announcement, wallClock.instant(), numbers.incrementAndGet()));
  }

  /** The next one to tell, when its time has come. For one thread only. */
  Waiting take() throws InterruptedException {
    var next = waiting.take();
    var pause = reserve();
    if (pause <= 0) {
      return next;
    }
    // What is more urgent may come meanwhile.
    waiting.add(next);
    TimeUnit.NANOSECONDS.sleep(pause);
    return waiting.take();
  }

  /** How long to wait for the next turn, which is then taken. */
  private long reserve() {
    var now = nanoTime.getAsLong();
    var every = limits.thenEvery().toNanos();
    paidUntil = Math.max(paidUntil, now) + every;
    return paidUntil - now - limits.atOnce() * every;
  }
}

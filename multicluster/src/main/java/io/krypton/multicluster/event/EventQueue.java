package io.krypton.multicluster.event;

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
  private final EventPace pace;
  private volatile long lastNews;

  EventQueue(EventLimits limits, LongSupplier nanoTime, InstantSource wallClock) {
    this.limits = limits;
    this.nanoTime = nanoTime;
    this.wallClock = wallClock;
    this.lastNews = nanoTime.getAsLong();
    this.pace = new EventPace(limits.pace(), lastNews);
  }

  /** False if too many wait already. */
  boolean offer(Announcement announcement) {
    lastNews = nanoTime.getAsLong();
    return waiting.size() < limits.waiting()
        && waiting.offer(new Waiting(announcement, wallClock.instant(), numbers.incrementAndGet()));
  }

  /** The next one to tell, when its time has come. For one thread only. */
  Waiting take() throws InterruptedException {
    var next = waiting.take();
    var pause = pace.reserve(nanoTime.getAsLong(), lastNews, waiting.size());
    if (pause <= 0) {
      return next;
    }
    // What is more urgent may come meanwhile.
    waiting.add(next);
    TimeUnit.NANOSECONDS.sleep(pause);
    return waiting.take();
  }
}

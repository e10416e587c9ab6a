package io.krypton.multicluster.event;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.watch.Streak;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events on one cluster from a thread of its own: the caller never waits and never fails.
 * Callers announce transitions, not states. A repetition within the window raises the count of the
 * event that is there. What the cluster does not take in time is dropped and counted.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private final EventQueue waiting;
  private final EventHistory history;
  private final EventCalls calls;
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private Streak failures = Streak.NONE;

  public EventRecorder(KubernetesClient client, EventSource source) {
    this(client, source, EventLimits.standard(), System::nanoTime, InstantSource.system());
  }

  EventRecorder(
      KubernetesClient client,
      EventSource source,
      EventLimits limits,
      LongSupplier nanoTime,
      InstantSource wallClock) {
    this.waiting = new EventQueue(limits, nanoTime, wallClock);
    this.history = new EventHistory(limits, nanoTime);
    this.calls = new EventCalls(client, source, limits.timeout());
    this.thread = Thread.ofVirtual().name("events").start(this::sendUntilClosed);
  }

  /** Passes the announcement on and returns at once. */
  public void record(Announcement announcement) {
    if (!waiting.offer(announcement)) {
      dropped.incrementAndGet();
    }
  }

  /** How many announcements were not told, because there were too many or the cluster failed. */
  public long dropped() {
    return dropped.get();
  }

  private void sendUntilClosed() {
    try {
      while (true) {
        var next = waiting.take();
        try {
          send(next.announcement(), next.since());
          failures = Streak.NONE;
        } catch (RuntimeException failed) {
          dropped.incrementAndGet();
          note(next.announcement(), failed);
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(Announcement announcement, Instant since) {
    switch (history.whatFor(announcement)) {
      case EventHistory.Decision.Create() -> create(announcement, since);
      case EventHistory.Decision.Raise(var event, var count) -> {
        if (calls.raise(announcement.namespace(), event, count, since)) {
          history.told(announcement, event, count);
        } else {
          create(announcement, since);
        }
      }
      case EventHistory.Decision.Suppress() -> dropped.incrementAndGet();
    }
  }

  private void create(Announcement announcement, Instant since) {
    history.told(announcement, calls.create(announcement, since), 1);
  }

  private void note(Announcement announcement, RuntimeException failed) {
    failures = failures.next(failed.getClass().getName());
    if (failures.isWorthALine() && !Thread.currentThread().isInterrupted()) {
      log.atWarn()
          .addKeyValue("reason", announcement.reason())
          .addKeyValue("count", failures.count())
          .addKeyValue("cause", String.valueOf(failed.getMessage()))
          .log("event not recorded");
    }
  }

  /** Stops at once; what still waits is not told. */
  @Override
  public void close() {
    thread.interrupt();
  }
}

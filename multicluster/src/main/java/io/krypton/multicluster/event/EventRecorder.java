// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.multicluster.cache.RepeatedFailure;
import io.krypton.multicluster.event.EventQueue.EventRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Records events on one cluster from a thread of its own: the caller never waits and never fails.
 * Callers record transitions, not states. A repetition within the window raises the count of the
 * event that is there. What the cluster does not take in time is dropped and counted.
 */
public final class EventRecorder implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(EventRecorder.class);

  private final EventQueue queue;
  private final EventCorrelator correlator;
  private final EventSink sink;
  private final AtomicLong dropped = new AtomicLong();
  private final Thread thread;
  private RepeatedFailure failures = RepeatedFailure.NONE;

  public EventRecorder(KubernetesClient client, EventSource source) {
    this(client, source, EventLimits.standard(), System::nanoTime, InstantSource.system());
  }

  EventRecorder(
      KubernetesClient client,
      EventSource source,
      EventLimits limits,
      LongSupplier nanoTime,
      InstantSource wallClock) {
    this.queue = new EventQueue(limits, nanoTime, wallClock);
    this.correlator = new EventCorrelator(limits, nanoTime);
    this.sink = new EventSink(client, source, limits.timeout());
    this.thread = Thread.ofVirtual().name("events").start(this::sendUntilClosed);
  }

  /** Queues the event and returns at once. */
  public void record(EventMessage eventMessage) {
    if (!queue.offer(eventMessage)) {
      dropped.incrementAndGet();
    }
  }

  /** How many events were dropped, because there were too many or the cluster failed. */
  public long dropped() {
    return dropped.get();
  }

  private void sendUntilClosed() {
    try {
      while (true) {
        var next = queue.take();
        try {
          send(next.message(), next.since());
          failures = RepeatedFailure.NONE;
        } catch (RuntimeException failed) {
          dropped.incrementAndGet();
          logFailure(next.message(), failed);
        }
      }
    } catch (InterruptedException closed) {
      Thread.currentThread().interrupt();
    }
  }

  private void send(EventMessage eventMessage, Instant since) {
    switch (correlator.correlate(eventMessage)) {
      case EventCorrelator.Decision.Create() -> create(eventMessage, since);
      case EventCorrelator.Decision.Increment(var event, var count) -> {
        if (sink.increment(eventMessage.namespace(), event, count, since)) {
          correlator.recorded(eventMessage, event, count);
        } else {
          create(eventMessage, since);
        }
      }
      case EventCorrelator.Decision.Suppress() -> dropped.incrementAndGet();
    }
  }

  private void create(EventMessage eventMessage, Instant since) {
    correlator.recorded(eventMessage, sink.create(eventMessage, since), 1);
  }

  private void logFailure(EventMessage eventMessage, RuntimeException failed) {
    failures = failures.next(failed.getClass().getName());
    if (failures.shouldLog() && !Thread.currentThread().isInterrupted()) {
      log.atWarn()
          .addKeyValue("reason", eventMessage.reason())
          .addKeyValue("count", failures.count())
          .addKeyValue("cause", String.valueOf(failed.getMessage()))
          .log("failed to record event");
    }
  }

  /** Stops at once; pending events are dropped. */
  @Override
  public void close() {
    thread.interrupt();
  }

  /**
   * Limits of one recorder.
   *
   * @param window how long a repetition raises the count of the first event
   * @param burst how many events an object may have at once
   * @param refill after which time it may have one more
   * @param timeout of one call
   * @param maxPending how many events may wait to be sent
   * @param rates at which they are sent
   */
  record EventLimits(
      Duration window,
      int burst,
      Duration refill,
      Duration timeout,
      int maxPending,
      EventRateLimiter.Rates rates) {

    static EventLimits standard() {
      return new EventLimits(
          Duration.ofMinutes(10),
          25,
          Duration.ofMinutes(1),
          Duration.ofSeconds(2),
          4000,
          EventRateLimiter.Rates.standard());
    }
  }

  /**
   * The source of events.
   *
   * @param component as {@code kubectl describe} shows it
   * @param reportingController a qualified name, e.g. {@code example.com/widget-controller}
   * @param reportingInstance usually the pod
   */
  public record EventSource(
      String component, String reportingController, String reportingInstance) {}
}

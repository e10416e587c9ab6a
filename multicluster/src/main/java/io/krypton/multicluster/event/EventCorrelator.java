// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.event;

import io.krypton.multicluster.event.EventRecorder.EventLimits;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/** Aggregates repeated events and limits events per object, as in client-go. Not thread-safe. */
final class EventCorrelator {
  /** Enough for all failing objects; the least recently used one is evicted first. */
  private static final int MAX_ENTRIES = 4096;

  sealed interface Decision {
    record Create() implements Decision {}

    /** Recorded before: raises the count of that event. */
    record Increment(String event, int count) implements Decision {}

    /** The object has used up its burst. */
    record Suppress() implements Decision {}
  }

  private record RecordedEvent(String event, int count, long at) {}

  private record Allowance(double tokens, long at) {}

  private record Subject(String uid, String kind, String namespace, String name) {}

  private record Text(Subject subject, EventMessage.Type type, String reason, String message) {}

  private final EventLimits limits;
  private final LongSupplier nanoTime;
  private final Map<Text, RecordedEvent> recorded = leastRecentlyUsed();
  private final Map<Subject, Allowance> allowances = leastRecentlyUsed();

  EventCorrelator(EventLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  Decision correlate(EventMessage eventMessage) {
    if (!spend(subject(eventMessage))) {
      return new Decision.Suppress();
    }
    var before = recorded.get(text(eventMessage));
    if (before == null || elapsed(before.at()).compareTo(limits.window()) >= 0) {
      return new Decision.Create();
    }
    return new Decision.Increment(before.event(), before.count() + 1);
  }

  void recorded(EventMessage eventMessage, String event, int count) {
    recorded.put(text(eventMessage), new RecordedEvent(event, count, nanoTime.getAsLong()));
  }

  private boolean spend(Subject subject) {
    var now = nanoTime.getAsLong();
    var last = allowances.getOrDefault(subject, new Allowance(limits.burst(), now));
    var gained = (double) elapsed(last.at()).toNanos() / limits.refill().toNanos();
    var tokens = Math.min(limits.burst(), last.tokens() + gained);
    var affordable = tokens >= 1;
    allowances.put(subject, new Allowance(affordable ? tokens - 1 : tokens, now));
    return affordable;
  }

  private Duration elapsed(long since) {
    return Duration.ofNanos(nanoTime.getAsLong() - since);
  }

  private static Subject subject(EventMessage eventMessage) {
    var about = eventMessage.regarding();
    return new Subject(
        Objects.requireNonNullElse(about.getUid(), ""),
        Objects.requireNonNullElse(about.getKind(), ""),
        eventMessage.namespace(),
        about.getName());
  }

  private static Text text(EventMessage eventMessage) {
    return new Text(
        subject(eventMessage), eventMessage.type(), eventMessage.reason(), eventMessage.message());
  }

  private static <K, V> Map<K, V> leastRecentlyUsed() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MAX_ENTRIES;
      }
    };
  }
}

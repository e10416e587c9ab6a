package io.krypton.multicluster.event;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongSupplier;

/** Decides what becomes of an announcement, by what was told before. Not thread-safe. */
final class EventHistory {
  /** Enough for all objects in trouble; the one not heard of for longest is forgotten first. */
  private static final int MOST = 4096;

  sealed interface Decision {
    record Create() implements Decision {}

    /** Told before: the event of this name now counts so many. */
    record Raise(String event, int count) implements Decision {}

    /** This object has told too much lately. */
    record Suppress() implements Decision {}
  }

  private record Told(String event, int count, long at) {}

  private record Allowance(double tokens, long at) {}

  private record Subject(String uid, String kind, String namespace, String name) {}

  private record Text(Subject subject, Announcement.Type type, String reason, String message) {}

  private final EventLimits limits;
  private final LongSupplier nanoTime;
  private final Map<Text, Told> told = leastRecentlyUsed();
  private final Map<Subject, Allowance> allowances = leastRecentlyUsed();

  EventHistory(EventLimits limits, LongSupplier nanoTime) {
    this.limits = limits;
    this.nanoTime = nanoTime;
  }

  Decision whatFor(Announcement announcement) {
    if (!spend(subject(announcement))) {
      return new Decision.Suppress();
    }
    var before = told.get(text(announcement));
    if (before == null || elapsed(before.at()).compareTo(limits.window()) >= 0) {
      return new Decision.Create();
    }
    return new Decision.Raise(before.event(), before.count() + 1);
  }

  void told(Announcement announcement, String event, int count) {
    told.put(text(announcement), new Told(event, count, nanoTime.getAsLong()));
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

  private static Subject subject(Announcement announcement) {
    var about = announcement.about();
    return new Subject(
        Objects.requireNonNullElse(about.getUid(), ""),
        Objects.requireNonNullElse(about.getKind(), ""),
        announcement.namespace(),
        about.getName());
  }

  private static Text text(Announcement announcement) {
    return new Text(
        subject(announcement), announcement.type(), announcement.reason(), announcement.message());
  }

  private static <K, V> Map<K, V> leastRecentlyUsed() {
    return new LinkedHashMap<>(16, 0.75f, true) {
      @Override
      protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
        return size() > MOST;
      }
    };
  }
}

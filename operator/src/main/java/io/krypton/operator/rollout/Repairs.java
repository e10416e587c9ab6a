package io.krypton.operator.rollout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Remembers what was found and done about drift, so that the same drift is told once, and so that
 * two programs that undo each other's work do not do so as fast as they can.
 */
final class Repairs {
  /** So many repairs of one release are an accident; more look like a fight. */
  private static final int WITHOUT_PAUSE = 3;

  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final Clock clock;
  private final Map<String, Past> releases = new ConcurrentHashMap<>();

  private record Past(Set<String> drifted, List<Instant> repairs) {
    Past withDrift(Set<String> objects) {
      return new Past(objects, repairs);
    }

    Past repairedAt(Instant time) {
      var times = new ArrayList<>(since(time.minus(WINDOW)));
      times.add(time);
      return new Past(drifted, times);
    }

    List<Instant> since(Instant begin) {
      return repairs.stream().filter(time -> time.isAfter(begin)).toList();
    }
  }

  Repairs(Clock clock) {
    this.clock = clock;
  }

  /** Notes what has drifted and answers with those objects that had not the last time. */
  List<String> news(String release, List<String> missing, List<String> changed) {
    var objects = new TreeSet<>(missing);
    objects.addAll(changed);
    var fresh = new TreeSet<>(objects);
    fresh.removeAll(past(release).drifted());
    releases.compute(release, (key, past) -> orNone(past).withDrift(objects));
    return List.copyOf(fresh);
  }

  /** Nothing has drifted: whatever drifts next is news. */
  void whole(String release) {
    releases.computeIfPresent(
        release,
        (key, past) ->
            past.since(clock.instant().minus(WINDOW)).isEmpty() ? null : past.withDrift(Set.of()));
  }

  /** How long the next repair has to wait; zero if it may begin. */
  Duration pause(String release) {
    var now = clock.instant();
    var recent = past(release).since(now.minus(WINDOW));
    var tooMany = recent.size() - WITHOUT_PAUSE;
    if (tooMany < 0) {
      return Duration.ZERO;
    }
    var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tooMany, 10));
    var due = recent.getLast().plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
  }

  void begun(String release) {
    releases.compute(release, (key, past) -> orNone(past).repairedAt(clock.instant()));
  }

  void forget(String release) {
    releases.remove(release);
  }

  private Past past(String release) {
    return orNone(releases.get(release));
  }

  private static Past orNone(@Nullable Past past) {
    return past == null ? new Past(Set.of(), List.of()) : past;
  }
}

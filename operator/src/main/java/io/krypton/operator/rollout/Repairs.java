package io.krypton.operator.rollout;

import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
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

  /** So long it must have been quiet, after the pause, for a repair to count as the first. */
  private static final Duration QUIET = Duration.ofMinutes(10);

  private static final Duration FIRST_PAUSE = Duration.ofSeconds(5);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(5);

  private final Clock clock;
  private final Map<String, Past> releases = new ConcurrentHashMap<>();

  /**
   * @param repairs how many there were without a quiet time between them
   * @param last when the last of them began; null if there was none
   */
  private record Past(Set<String> drifted, int repairs, @Nullable Instant last) {
    static final Past NONE = new Past(Set.of(), 0, null);

    Past withDrift(Set<String> objects) {
      return new Past(objects, repairs, last);
    }

    Past repairedAt(Instant time) {
      return new Past(drifted, isQuietAt(time) ? 1 : repairs + 1, time);
    }

    /** When the next repair may begin: the longer the fight lasts, the later. */
    Instant due() {
      var tooMany = repairs - WITHOUT_PAUSE;
      if (last == null || tooMany < 0) {
        return Instant.MIN;
      }
      var pause = FIRST_PAUSE.multipliedBy(1L << Math.min(tooMany, 10));
      return last.plus(pause.compareTo(LONGEST_PAUSE) < 0 ? pause : LONGEST_PAUSE);
    }

    /**
     * Counted from the end of the pause: counted from the repair, a pause would make the quiet that
     * ends it.
     */
    boolean isQuietAt(Instant now) {
      if (last == null) {
        return true;
      }
      var begin = due().isAfter(last) ? due() : last;
      return !begin.plus(QUIET).isAfter(now);
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
        release, (key, past) -> past.isQuietAt(clock.instant()) ? null : past.withDrift(Set.of()));
  }

  /** How long the next repair has to wait; zero if it may begin. */
  Duration pause(String release) {
    var now = clock.instant();
    var due = past(release).due();
    return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
  }

  void begun(String release) {
    releases.compute(release, (key, past) -> orNone(past).repairedAt(clock.instant()));
  }

  void forget(String release) {
    releases.remove(release);
  }

  void forgetCluster(String cluster) {
    releases.keySet().removeIf(key -> Readiness.isOn(cluster, key));
  }

  private Past past(String release) {
    return orNone(releases.get(release));
  }

  private static Past orNone(@Nullable Past past) {
    return past == null ? Past.NONE : past;
  }
}

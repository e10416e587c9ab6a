// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

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
 * Remembers what was found and done about drift, so that the same drift is reported once, and so
 * that two programs that undo each other's work do not do so as fast as they can.
 */
final class DriftRepairLimiter {
  /** After so many repairs of one release another controller may be undoing them. */
  private static final int REPAIRS_WITHOUT_DELAY = 3;

  /** So long it must have been quiet, after the pause, for a repair to count as the first. */
  private static final Duration QUIET_PERIOD = Duration.ofMinutes(10);

  private static final Duration INITIAL_DELAY = Duration.ofSeconds(5);
  private static final Duration MAX_DELAY = Duration.ofMinutes(5);

  private final Clock clock;
  private final Map<String, RepairHistory> releases = new ConcurrentHashMap<>();

  /**
   * @param repairs how many there were without a quiet time between them
   * @param last when the last of them began; null if there was none
   */
  private record RepairHistory(Set<String> drifted, int repairs, @Nullable Instant last) {
    static final RepairHistory NONE = new RepairHistory(Set.of(), 0, null);

    RepairHistory withDrift(Set<String> objects) {
      return new RepairHistory(objects, repairs, last);
    }

    RepairHistory repairedAt(Instant time) {
      return new RepairHistory(drifted, isQuietAt(time) ? 1 : repairs + 1, time);
    }

    /** When the next repair may begin: the back-off doubles. */
    Instant nextAllowedAt() {
      var tooMany = repairs - REPAIRS_WITHOUT_DELAY;
      if (last == null || tooMany < 0) {
        return Instant.MIN;
      }
      var pause = INITIAL_DELAY.multipliedBy(1L << Math.min(tooMany, 10));
      return last.plus(pause.compareTo(MAX_DELAY) < 0 ? pause : MAX_DELAY);
    }

    /**
     * Counted from the end of the pause: counted from the repair, a pause would make the quiet that
     * ends it.
     */
    boolean isQuietAt(Instant now) {
      if (last == null) {
        return true;
      }
      var begin = nextAllowedAt().isAfter(last) ? nextAllowedAt() : last;
      return !begin.plus(QUIET_PERIOD).isAfter(now);
    }
  }

  DriftRepairLimiter(Clock clock) {
    this.clock = clock;
  }

  /** Notes what has drifted and answers with those objects that had not the last time. */
  List<String> newDrift(String release, List<String> missing, List<String> changed) {
    var objects = new TreeSet<>(missing);
    objects.addAll(changed);
    var fresh = new TreeSet<>(objects);
    fresh.removeAll(history(release).drifted());
    releases.compute(release, (key, repairHistory) -> orNone(repairHistory).withDrift(objects));
    return List.copyOf(fresh);
  }

  /** Nothing has drifted: the next drift is reported again. */
  void markInSync(String release) {
    releases.computeIfPresent(
        release,
        (key, repairHistory) ->
            repairHistory.isQuietAt(clock.instant()) ? null : repairHistory.withDrift(Set.of()));
  }

  /** How long the next repair has to wait; zero if it may begin. */
  Duration delay(String release) {
    var now = clock.instant();
    var due = history(release).nextAllowedAt();
    return due.isAfter(now) ? Duration.between(now, due) : Duration.ZERO;
  }

  void repairStarted(String release) {
    releases.compute(
        release, (key, repairHistory) -> orNone(repairHistory).repairedAt(clock.instant()));
  }

  void forget(String release) {
    releases.remove(release);
  }

  void forgetCluster(String cluster) {
    releases.keySet().removeIf(key -> ReadinessTracker.isOn(cluster, key));
  }

  private RepairHistory history(String release) {
    return orNone(releases.get(release));
  }

  private static RepairHistory orNone(@Nullable RepairHistory repairHistory) {
    return repairHistory == null ? RepairHistory.NONE : repairHistory;
  }
}

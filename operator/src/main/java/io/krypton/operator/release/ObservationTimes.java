// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;

/**
 * Since when we have seen something to be so, by our own clock. The times that a server writes
 * cannot tell: its clock may be ahead of ours or behind.
 */
final class ObservationTimes {
  private record Observation(String value, Instant since, boolean reported) {}

  private final Clock clock;
  private final Map<String, Observation> observations = new ConcurrentHashMap<>();

  ObservationTimes(Clock clock) {
    this.clock = clock;
  }

  /** When this was seen first; anything else seen at the same place begins anew. */
  Instant firstSeen(String place, String what) {
    return observations
        .compute(
            place,
            (key, known) ->
                known != null && known.value().equals(what)
                    ? known
                    : new Observation(what, clock.instant(), false))
        .since();
  }

  /** Whether what is seen there was not reported yet; from now on it is. */
  boolean markReported(String place) {
    var isNew = new AtomicBoolean();
    observations.computeIfPresent(
        place,
        (key, known) -> {
          isNew.set(!known.reported());
          return new Observation(known.value(), known.since(), true);
        });
    return isNew.get();
  }

  void forget(String place) {
    observations.remove(place);
  }

  void forgetIf(Predicate<String> place) {
    observations.keySet().removeIf(place);
  }
}

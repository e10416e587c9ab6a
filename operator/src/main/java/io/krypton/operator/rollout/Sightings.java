package io.krypton.operator.rollout;

import java.time.Clock;
import java.time.Instant;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Since when we have seen something to be so, by our own clock. The times that a server writes
 * cannot tell: its clock may be ahead of ours or behind.
 */
final class Sightings {
  private record Sighting(String what, Instant since, boolean told) {}

  private final Clock clock;
  private final Map<String, Sighting> sightings = new ConcurrentHashMap<>();

  Sightings(Clock clock) {
    this.clock = clock;
  }

  /** When this was seen first; anything else seen at the same place begins anew. */
  Instant since(String place, String what) {
    return sightings
        .compute(
            place,
            (key, known) ->
                known != null && known.what().equals(what)
                    ? known
                    : new Sighting(what, clock.instant(), false))
        .since();
  }

  /** Whether what is seen there was not told yet; from now on it is. */
  boolean isNews(String place) {
    var news = new AtomicBoolean();
    sightings.computeIfPresent(
        place,
        (key, known) -> {
          news.set(!known.told());
          return new Sighting(known.what(), known.since(), true);
        });
    return news.get();
  }

  void end(String place) {
    sightings.remove(place);
  }
}

package io.krypton.operator.kmshealth.evidence;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The processes that have held one Lease lately. A restart brings a new one; two that take turns
 * are two reporters with the same node name.
 */
record Holders(List<Turn> turns) {
  static final Holders NONE = new Holders(List.of());

  private static final Duration WINDOW = Duration.ofMinutes(10);
  private static final int HARMLESS_CHANGES = 3;
  private static final int MOST_TURNS = 16;

  Holders {
    turns = List.copyOf(turns);
  }

  record Turn(String holder, Duration since) {}

  Holders and(String holder, Duration now) {
    if (holder.isEmpty() || (!turns.isEmpty() && turns.getLast().holder().equals(holder))) {
      return this;
    }
    var next = new ArrayList<>(turns);
    next.add(new Turn(holder, now));
    return new Holders(next.subList(Math.max(0, next.size() - MOST_TURNS), next.size()));
  }

  boolean alternate(Duration now) {
    var recent =
        turns.stream()
            .skip(1)
            .filter(turn -> now.minus(turn.since()).compareTo(WINDOW) <= 0)
            .toList();
    return recent.size() > HARMLESS_CHANGES
        && recent.stream().map(Turn::holder).distinct().count() == 2;
  }
}

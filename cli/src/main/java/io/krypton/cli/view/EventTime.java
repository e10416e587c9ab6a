package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.Event;
import java.time.Instant;
import java.util.Objects;
import java.util.stream.Stream;

/** When an event last happened; its writers fill different fields. */
public final class EventTime {
  private EventTime() {}

  public static Instant of(Event event) {
    var series = event.getSeries() == null ? null : event.getSeries().getLastObservedTime();
    var precise = event.getEventTime() == null ? null : event.getEventTime().getTime();
    return Stream.of(
            series == null ? null : series.getTime(),
            event.getLastTimestamp(),
            precise,
            event.getFirstTimestamp(),
            event.getMetadata().getCreationTimestamp())
        .map(Age::parse)
        .filter(Objects::nonNull)
        .map(Instant.class::cast)
        .findFirst()
        .orElse(Instant.EPOCH);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import io.fabric8.kubernetes.api.model.Event;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Time spans as kubectl writes them: two units while that tells more than one. */
public final class Age {
  private Age() {}

  public static String of(@Nullable Instant since, Instant now) {
    return since == null ? "-" : format(Duration.between(since, now));
  }

  /** The same for a time as Kubernetes writes it. */
  public static String of(@Nullable String since, Instant now) {
    return of(parse(since), now);
  }

  public static @Nullable Instant parse(@Nullable String time) {
    try {
      return time == null || time.isEmpty() ? null : Instant.parse(time);
    } catch (DateTimeParseException unreadable) {
      return null;
    }
  }

  static String format(Duration age) {
    var seconds = Math.max(0, age.toSeconds());
    if (seconds < 120) {
      return seconds + "s";
    }
    if (seconds < 600) {
      return pair(age.toMinutes(), "m", age.toSecondsPart(), "s");
    }
    if (age.toMinutes() < 180) {
      return age.toMinutes() + "m";
    }
    if (age.toHours() < 8) {
      return pair(age.toHours(), "h", age.toMinutesPart(), "m");
    }
    if (age.toHours() < 48) {
      return age.toHours() + "h";
    }
    return age.toDays() < 8 ? pair(age.toDays(), "d", age.toHoursPart(), "h") : age.toDays() + "d";
  }

  private static String pair(long large, String largeUnit, long small, String smallUnit) {
    return large + largeUnit + (small == 0 ? "" : small + smallUnit);
  }

  /** When an event last happened; its writers fill different fields. */
  public static final class EventTime {
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
}

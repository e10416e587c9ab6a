// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.time.temporal.ChronoUnit.MINUTES;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * When something begins, as cron has it: minute, hour, day of month, month, day of week, in a time
 * zone. Where clocks go forward, what was skipped begins at once; where they go back, it begins
 * each time.
 */
public final class CronSchedule {
  /** A leap day on a given day of the week is at most 40 years away. */
  private static final int FARTHEST_DAYS = 40 * 366;

  private static final List<String> MONTHS =
      List.of("JAN", "FEB", "MAR", "APR", "MAY", "JUN", "JUL", "AUG", "SEP", "OCT", "NOV", "DEC");
  private static final List<String> DAYS = List.of("SUN", "MON", "TUE", "WED", "THU", "FRI", "SAT");

  private final ZoneId zone;
  private final BitSet minutes;
  private final BitSet hours;
  private final BitSet daysOfMonth;
  private final BitSet months;
  private final BitSet daysOfWeek;
  private final boolean eitherDay;

  private CronSchedule(ZoneId zone, String text, String[] fields) {
    this.zone = zone;
    minutes = new Field(text, "minute", 0, 59, List.of()).parse(fields[0]);
    hours = new Field(text, "hour", 0, 23, List.of()).parse(fields[1]);
    daysOfMonth = new Field(text, "day of month", 1, 31, List.of()).parse(fields[2]);
    months = new Field(text, "month", 1, 12, MONTHS).parse(fields[3]);
    daysOfWeek = new Field(text, "day of week", 0, 7, DAYS).parse(fields[4]);
    if (daysOfWeek.get(7)) {
      daysOfWeek.set(0);
    }
    // As in cron: where both are limited, one of them is enough.
    eitherDay = !fields[2].startsWith("*") && !fields[4].startsWith("*");
  }

  /** The message of the exception names the field, what it says and what it may say. */
  public static CronSchedule parse(String text, ZoneId zone) {
    var fields = text.strip().split(" +");
    if (fields.length != 5) {
      throw new IllegalArgumentException(
          "schedule '%s' has %d fields; give five: minute, hour, day of month, month, day of week"
              .formatted(text, fields.length));
    }
    return new CronSchedule(zone, text, fields);
  }

  /** The latest beginning in {@code (after, until]}; null if there is none. */
  @Nullable Instant latest(Instant after, Instant until) {
    var first = LocalDate.ofInstant(after, zone).minusDays(1);
    @Nullable Instant found = null;
    // Where clocks go back over midnight, a day has moments after some of the next one.
    int daysMore = 2;
    for (var day = LocalDate.ofInstant(until, zone).plusDays(1);
        !day.isBefore(first) && daysMore > 0;
        day = day.minusDays(1)) {
      if (found != null) {
        daysMore--;
      }
      var onDay = isOn(day) ? latestOn(day, after, until) : null;
      found = found == null || (onDay != null && onDay.isAfter(found)) ? onDay : found;
    }
    return found;
  }

  /** The first beginning after this time; null if there is none. */
  @Nullable Instant next(Instant after) {
    var last = LocalDate.ofInstant(after, zone).plusDays(FARTHEST_DAYS);
    @Nullable Instant found = null;
    int daysMore = 2;
    for (var day = LocalDate.ofInstant(after, zone).minusDays(1);
        !day.isAfter(last) && daysMore > 0;
        day = day.plusDays(1)) {
      if (found != null) {
        daysMore--;
      }
      var onDay = isOn(day) ? nextOn(day, after) : null;
      found = found == null || (onDay != null && onDay.isBefore(found)) ? onDay : found;
    }
    return found;
  }

  private @Nullable Instant latestOn(LocalDate day, Instant after, Instant until) {
    if (changesClocks(day)) {
      return allOf(day)
          .filter(moment -> moment.isAfter(after) && !moment.isAfter(until))
          .max(Comparator.naturalOrder())
          .orElse(null);
    }
    var limit = LocalDateTime.ofInstant(until, zone);
    if (day.isAfter(limit.toLocalDate())) {
      return null;
    }
    var isLimited = day.equals(limit.toLocalDate());
    int hour = hours.previousSetBit(isLimited ? limit.getHour() : 23);
    if (hour < 0) {
      return null;
    }
    int minute = 59;
    if (isLimited && hour == limit.getHour()) {
      minute = limit.getMinute();
      if (minutes.previousSetBit(minute) < 0) {
        hour = hours.previousSetBit(hour - 1);
        minute = 59;
      }
    }
    if (hour < 0) {
      return null;
    }
    var moment = day.atTime(hour, minutes.previousSetBit(minute)).atZone(zone).toInstant();
    return moment.isAfter(after) ? moment : null;
  }

  private @Nullable Instant nextOn(LocalDate day, Instant after) {
    if (changesClocks(day)) {
      return allOf(day)
          .filter(moment -> moment.isAfter(after))
          .min(Comparator.naturalOrder())
          .orElse(null);
    }
    // What begins in the minute that runs has begun.
    var limit = LocalDateTime.ofInstant(after, zone).truncatedTo(MINUTES).plusMinutes(1);
    if (day.isBefore(limit.toLocalDate())) {
      return null;
    }
    var isLimited = day.equals(limit.toLocalDate());
    int hour = hours.nextSetBit(isLimited ? limit.getHour() : 0);
    int minute = 0;
    if (isLimited && hour == limit.getHour()) {
      minute = limit.getMinute();
      if (minutes.nextSetBit(minute) < 0) {
        hour = hours.nextSetBit(hour + 1);
        minute = 0;
      }
    }
    return hour < 0 ? null : day.atTime(hour, minutes.nextSetBit(minute)).atZone(zone).toInstant();
  }

  /** Whether time does not go on evenly on this day, in any time zone. */
  private boolean changesClocks(LocalDate day) {
    var start = day.atStartOfDay().minusHours(20).toInstant(ZoneOffset.UTC);
    var change = zone.getRules().nextTransition(start);
    return change != null
        && change.getInstant().isBefore(day.plusDays(1).atTime(20, 0).toInstant(ZoneOffset.UTC));
  }

  private Stream<Instant> allOf(LocalDate day) {
    return hours.stream()
        .boxed()
        .flatMap(hour -> minutes.stream().mapToObj(minute -> day.atTime(hour, minute)))
        .flatMap(time -> moments(time).stream());
  }

  private boolean isOn(LocalDate day) {
    if (!months.get(day.getMonthValue())) {
      return false;
    }
    var ofMonth = daysOfMonth.get(day.getDayOfMonth());
    var ofWeek = daysOfWeek.get(day.getDayOfWeek().getValue() % 7);
    return eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek;
  }

  /** When clocks in the zone show this: once, twice, or not at all. */
  private List<Instant> moments(LocalDateTime time) {
    var rules = zone.getRules();
    var offsets = rules.getValidOffsets(time);
    return offsets.isEmpty()
        ? List.of(rules.getTransition(time).getInstant())
        : offsets.stream().map((ZoneOffset offset) -> time.toInstant(offset)).toList();
  }

  /** One of the five fields. */
  private record Field(String schedule, String name, int from, int to, List<String> words) {

    BitSet parse(String text) {
      var values = new BitSet();
      for (var part : text.split(",", -1)) {
        var slash = part.indexOf('/');
        var range = slash < 0 ? part : part.substring(0, slash);
        int step = slash < 0 ? 1 : number(part.substring(slash + 1), part);
        if (step < 1) {
          throw refused(part);
        }
        int first = from;
        int last = to;
        if (!range.equals("*")) {
          var dash = range.indexOf('-');
          first = value(dash < 0 ? range : range.substring(0, dash), part);
          last = dash >= 0 ? value(range.substring(dash + 1), part) : slash < 0 ? first : to;
        }
        if (first > last) {
          throw refused(part);
        }
        for (int value = first; value <= last; value += step) {
          values.set(value);
        }
      }
      return values;
    }

    private int value(String text, String part) {
      var word = words.indexOf(text.toUpperCase(Locale.ROOT));
      // The words of months begin with one, those of days with zero.
      int value = word >= 0 ? word + from : number(text, part);
      if (value < from || value > to) {
        throw refused(part);
      }
      return value;
    }

    private int number(String text, String part) {
      if (!text.matches("\\d{1,4}")) {
        throw refused(part);
      }
      return Integer.parseInt(text);
    }

    private IllegalArgumentException refused(String part) {
      var names =
          words.isEmpty() ? "" : ", or %s to %s".formatted(words.getFirst(), words.getLast());
      return new IllegalArgumentException(
          "schedule '%s' has '%s' as %s; give * or %d to %d%s, with - for ranges, / for steps"
              .formatted(schedule, part, name, from, to, names));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CronScheduleTest {
  private static final int MOST_FOLLOWED = 100;

  @ParameterizedTest(name = "{0} in {1} after {2}")
  @CsvSource(
      delimiter = '|',
      value = {
        "0 18 * * 5      | UTC           | 2026-05-04T08:00:00Z | 2026-05-08T18:00:00Z",
        "0 18 * * FRI    | Europe/Berlin | 2026-05-04T08:00:00Z | 2026-05-08T16:00:00Z",
        "*/15 * * * *    | UTC           | 2026-05-04T08:01:30Z | 2026-05-04T08:15:00Z",
        "0 0 1 1 *       | UTC           | 2026-05-04T08:00:00Z | 2027-01-01T00:00:00Z",
        "0 0 29 2 *      | UTC           | 2026-05-04T08:00:00Z | 2028-02-29T00:00:00Z",
        "0 0 29 2 MON    | UTC           | 2026-05-04T08:00:00Z | 2027-02-01T00:00:00Z",
        "0 0 * * 7       | UTC           | 2026-05-04T08:00:00Z | 2026-05-10T00:00:00Z",
        "0 9 13 * 5      | UTC           | 2026-05-04T08:00:00Z | 2026-05-08T09:00:00Z",
        "5-20/5 8 * * *  | UTC           | 2026-05-04T08:20:00Z | 2026-05-05T08:05:00Z",
        "10/20 * * * *   | UTC           | 2026-05-04T08:10:00Z | 2026-05-04T08:30:00Z",
        "0 0 1 JAN-MAR * | UTC           | 2026-01-01T00:00:00Z | 2026-02-01T00:00:00Z",
        "59 23 31 12 *   | UTC           | 2026-12-31T23:59:00Z | 2027-12-31T23:59:00Z",
        "0 0 30 2 *      | UTC           | 2026-05-04T08:00:00Z |",
      })
  void the_next_beginning(String text, String zone, Instant after, @Nullable Instant next) {
    assertThat(schedule(text, zone).next(after)).isEqualTo(next);
  }

  /** In Berlin 02:00 to 03:00 is skipped on 2026-03-29, and comes twice on 2026-10-25. */
  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "what is skipped begins at once       | 30 2 * * * | 2026-03-28T23:00:00Z | 2026-03-29T01:00:00Z",
        "and on the day after as always       | 30 2 * * * | 2026-03-29T01:00:00Z | 2026-03-30T00:30:00Z",
        "what comes twice begins first        | 30 2 * * * | 2026-10-24T22:00:00Z | 2026-10-25T00:30:00Z",
        "and then again                       | 30 2 * * * | 2026-10-25T00:30:00Z | 2026-10-25T01:30:00Z",
        "what comes after is not moved        | 0 4 * * *  | 2026-10-25T00:00:00Z | 2026-10-25T03:00:00Z",
      })
  void where_clocks_change(String rule, String text, Instant after, Instant next) {
    assertThat(schedule(text, "Europe/Berlin").next(after)).isEqualTo(next);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "* * * *       | schedule '* * * *' has 4 fields; give five: minute, hour, day of month, month, day of week",
        "* * * * * *   | schedule '* * * * * *' has 6 fields",
        "60 * * * *    | schedule '60 * * * *' has '60' as minute; give * or 0 to 59, with - for ranges, / for steps",
        "* 24 * * *    | '24' as hour; give * or 0 to 23",
        "* * 0 * *     | '0' as day of month; give * or 1 to 31",
        "* * * 13 *    | '13' as month; give * or 1 to 12, or JAN to DEC",
        "* * * * 8     | '8' as day of week; give * or 0 to 7, or SUN to SAT",
        "* * * * FRY   | 'FRY' as day of week",
        "5-1 * * * *   | '5-1' as minute",
        "*/0 * * * *   | '*/0' as minute",
        "1,,2 * * * *  | '' as minute",
        "-1 * * * *    | '-1' as minute",
        "1- * * * *    | '1-' as minute",
        "*/x * * * *   | '*/x' as minute",
        "99999 * * * * | '99999' as minute",
      })
  void what_cannot_be_read_is_refused_by_name(String text, String message) {
    assertThatThrownBy(() -> schedule(text, "UTC"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  @Test
  void it_says_the_same_as_looking_at_every_minute() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (int round = 0; round < 40; round++) {
      var text = anySchedule(random);
      var zone = ZoneId.of(ZONES.get(random.nextInt(ZONES.size())));
      var start = anyStart(random, zone);
      var end = start.plus(Duration.ofDays(2 + random.nextInt(3)));
      var oracle = new Oracle(text, zone).beginnings(start, end);
      var schedule = CronSchedule.parse(text, zone);
      var why = "seed %d: %s in %s from %s".formatted(seed, text, zone, start);

      var found = new ArrayList<Instant>();
      for (var next = schedule.next(start);
          next != null && !next.isAfter(end) && found.size() < MOST_FOLLOWED;
          next = schedule.next(next)) {
        found.add(next);
      }
      assertThat(found)
          .as(why)
          .containsExactlyElementsOf(oracle.stream().limit(MOST_FOLLOWED).toList());
      for (int i = 0; i < 20; i++) {
        var until = start.plusSeconds(random.nextLong(Duration.between(start, end).toSeconds()));
        var before = oracle.headSet(until, true);
        assertThat(schedule.latest(start, until))
            .as("%s until %s", why, until)
            .isEqualTo(before.isEmpty() ? null : before.last());
      }
    }
  }

  /** With clocks that change by an hour, by half an hour, at midnight, by a day, and never. */
  private static final List<String> ZONES =
      List.of(
          "UTC",
          "Europe/Berlin",
          "America/New_York",
          "Australia/Lord_Howe",
          "America/Havana",
          "Africa/Cairo",
          "Asia/Kathmandu",
          "Pacific/Apia");

  /** Mostly near a change of clocks. */
  private static Instant anyStart(Random random, ZoneId zone) {
    var any =
        Instant.parse("2011-01-01T00:00:00Z").plus(Duration.ofHours(random.nextInt(24 * 365 * 16)));
    var change = zone.getRules().nextTransition(any);
    var near = change == null || random.nextInt(4) == 0 ? any : change.getInstant();
    return near.minus(Duration.ofMinutes(random.nextInt(30 * 60))).truncatedTo(ChronoUnit.MINUTES);
  }

  private static String anySchedule(Random random) {
    return String.join(
        " ",
        anyField(random, 0, 59),
        anyField(random, 0, 23),
        random.nextInt(3) == 0 ? anyField(random, 1, 31) : "*",
        random.nextInt(6) == 0 ? anyField(random, 1, 12) : "*",
        random.nextInt(3) == 0 ? anyField(random, 0, 7) : "*");
  }

  private static String anyField(Random random, int from, int to) {
    int one = from + random.nextInt(to - from + 1);
    int other = one + random.nextInt(to - one + 1);
    return switch (random.nextInt(5)) {
      case 0 -> "*";
      case 1 -> "*/" + (1 + random.nextInt(to));
      case 2 -> one + "-" + other;
      case 3 -> one + "-" + other + "/" + (1 + random.nextInt(5));
      default -> one + "," + other;
    };
  }

  private static CronSchedule schedule(String text, String zone) {
    return CronSchedule.parse(text.strip(), ZoneId.of(zone.strip()));
  }

  /** Knows cron as people read it, and looks at what clocks show in every single minute. */
  private record Oracle(List<Set<Integer>> fields, boolean eitherDay, ZoneId zone) {
    Oracle(String text, ZoneId zone) {
      this(
          List.of(
              values(text.split(" ")[0], 0, 59),
              values(text.split(" ")[1], 0, 23),
              values(text.split(" ")[2], 1, 31),
              values(text.split(" ")[3], 1, 12),
              values(text.split(" ")[4], 0, 7)),
          !text.split(" ")[2].startsWith("*") && !text.split(" ")[4].startsWith("*"),
          zone);
    }

    private static Set<Integer> values(String field, int from, int to) {
      var values = new TreeSet<Integer>();
      Arrays.stream(field.split(","))
          .forEach(
              part -> {
                var step = part.contains("/") ? Integer.parseInt(part.split("/")[1]) : 1;
                var range = part.split("/")[0];
                int first = range.equals("*") ? from : Integer.parseInt(range.split("-")[0]);
                int last =
                    range.equals("*")
                        ? to
                        : range.contains("-") ? Integer.parseInt(range.split("-")[1]) : first;
                for (int value = first; value <= last; value += step) {
                  values.add(value);
                }
              });
      return values;
    }

    TreeSet<Instant> beginnings(Instant after, Instant until) {
      var beginnings = new TreeSet<Instant>();
      for (var minute = after.plusSeconds(60);
          !minute.isAfter(until);
          minute = minute.plusSeconds(60)) {
        var shown = LocalDateTime.ofInstant(minute, zone);
        var before = LocalDateTime.ofInstant(minute.minusSeconds(60), zone);
        // All that clocks went over since the minute before, if they went forward.
        for (var time = shown;
            time.equals(shown) || time.isAfter(before);
            time = time.minusMinutes(1)) {
          if (matches(time)) {
            beginnings.add(minute);
          }
        }
      }
      return beginnings;
    }

    private boolean matches(LocalDateTime time) {
      int weekday = time.getDayOfWeek().getValue();
      var ofWeek = fields.get(4).contains(weekday) || (weekday == 7 && fields.get(4).contains(0));
      var ofMonth = fields.get(2).contains(time.getDayOfMonth());
      return fields.get(0).contains(time.getMinute())
          && fields.get(1).contains(time.getHour())
          && fields.get(3).contains(time.getMonthValue())
          && (eitherDay ? ofMonth || ofWeek : ofMonth && ofWeek);
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WindowsTest {
  /** From Friday 18:00 to Monday 08:00 in Berlin. */
  private static final String WEEKEND =
      "{kind: Deny, schedule: '0 18 * * 5', duration: 62h, timeZone: Europe/Berlin}";

  private static final String MORNINGS = "{kind: Allow, schedule: '0 8 * * *', duration: 2h}";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "no windows               | NONE     | 2026-05-09T12:00:00Z | true",
        "before a Deny            | WEEKEND  | 2026-05-08T15:59:59Z | true",
        "at its beginning         | WEEKEND  | 2026-05-08T16:00:00Z | false",
        "in the middle of it      | WEEKEND  | 2026-05-09T12:00:00Z | false",
        "just before its end      | WEEKEND  | 2026-05-11T05:59:59Z | false",
        "at its end               | WEEKEND  | 2026-05-11T06:00:00Z | true",
        "before an Allow          | MORNINGS | 2026-05-04T07:59:59Z | false",
        "in an Allow              | MORNINGS | 2026-05-04T09:00:00Z | true",
        "after an Allow           | MORNINGS | 2026-05-04T10:00:00Z | false",
        "Deny wins over Allow     | BOTH     | 2026-05-09T09:00:00Z | false",
        "Allow outside of Deny    | BOTH     | 2026-05-05T09:00:00Z | true",
        "neither of both          | BOTH     | 2026-05-05T12:00:00Z | false",
      })
  void updates_may_begin(String rule, String windows, Instant now, boolean open) {
    assertThat(windows(windows).isOpen(now)).isEqualTo(open);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "an open one opens now    | WEEKEND  | 2026-05-05T12:00:00Z | 2026-05-05T12:00:00Z",
        "after a Deny             | WEEKEND  | 2026-05-09T12:00:00Z | 2026-05-11T06:00:00Z",
        "at the next Allow        | MORNINGS | 2026-05-04T12:00:00Z | 2026-05-05T08:00:00Z",
        "at an Allow after a Deny | BOTH     | 2026-05-09T12:00:00Z | 2026-05-11T08:00:00Z",
        "never                    | NEVER    | 2026-05-09T12:00:00Z |",
        "always denied            | ALWAYS   | 2026-05-09T12:00:00Z |",
      })
  void they_open(String rule, String windows, Instant now, @Nullable Instant opens) {
    assertThat(windows(windows).opensAt(now)).isEqualTo(opens);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "no windows       | NONE     | 2026-05-04T12:00:00Z |",
        "the beginning    | WEEKEND  | 2026-05-04T12:00:00Z | 2026-05-08T16:00:00Z",
        "the end          | WEEKEND  | 2026-05-08T16:00:00Z | 2026-05-11T06:00:00Z",
        "the sooner one   | BOTH     | 2026-05-04T08:00:00Z | 2026-05-04T10:00:00Z",
      })
  void the_next_change(String rule, String windows, Instant now, @Nullable Instant change) {
    assertThat(windows(windows).nextChange(now)).isEqualTo(change);
  }

  @Test
  void a_window_lasts_as_long_as_it_says_where_clocks_change() {
    // Clocks in Berlin go forward on Sunday 2026-03-29: 62 hours end at 09:00.
    var windows = windows("WEEKEND");

    assertThat(windows.isOpen(Instant.parse("2026-03-30T06:59:59Z"))).isFalse();
    assertThat(windows.isOpen(Instant.parse("2026-03-30T07:00:00Z"))).isTrue();
  }

  @Test
  void a_kind_of_a_newer_version_closes() {
    var windows = of("[{kind: Perhaps, schedule: '* * * * *', duration: 1h}]");

    assertThat(windows.isOpen(Instant.EPOCH)).isFalse();
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "{kind: Deny, schedule: '0 25 * * *', duration: 1h} | rollout.windows[1]: schedule '0 25 * * *' has '25' as hour; give * or 0 to 23",
        "{kind: Deny, schedule: '0 1 * * *'} | rollout.windows[1]: duration must be longer than 0s, such as 8h",
        "{kind: Deny, schedule: '0 1 * * *', duration: 0s} | rollout.windows[1]: duration must be longer than 0s",
        "{kind: Deny, schedule: '0 1 * * *', duration: 1h, timeZone: Europe/Atlantis} | rollout.windows[1]: timeZone 'Europe/Atlantis' is not known; give a name of the time zone database, such as Europe/Berlin",
        "{kind: Deny, schedule: '0 1 * * *', duration: 1h, timeZone: '+02:00'} | rollout.windows[1]: timeZone '+02:00' is not known",
      })
  void what_cannot_be_read_is_refused_by_name(String window, String message) {
    assertThatThrownBy(() -> of("[" + MORNINGS + ", " + window + "]"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(message);
  }

  private static Windows windows(String name) {
    return of(
        switch (name.strip()) {
          case "NONE" -> "[]";
          case "WEEKEND" -> "[" + WEEKEND + "]";
          case "MORNINGS" -> "[" + MORNINGS + "]";
          case "BOTH" -> "[" + WEEKEND + ", " + MORNINGS + "]";
          case "NEVER" -> "[{kind: Allow, schedule: '0 0 30 2 *', duration: 1h}]";
          case "ALWAYS" -> "[{kind: Deny, schedule: '* * * * *', duration: 1h}]";
          default -> throw new IllegalArgumentException(name);
        });
  }

  private static Windows of(String windows) {
    return Windows.of(RolloutSimulation.policy("windows: " + windows).windows());
  }
}

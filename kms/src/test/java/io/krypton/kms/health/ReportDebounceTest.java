// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.ReportDebounce.PublishedState;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Each row is a story in words {@code <seconds>:<what>}: {@code g} good Status, {@code t} a Status
 * that timed out, {@code c} no connection, {@code G} and {@code F} a good and a failed round trip,
 * {@code s} two key ids.
 */
class ReportDebounceTest {
  private static final ProbeFinding TIMEOUT =
      ProbeFinding.of(Reason.TIMEOUT, ProbePhase.STATUS, "DEADLINE_EXCEEDED", "late");
  private static final ProbeFinding REFUSED =
      ProbeFinding.of(Reason.SOCKET_REFUSED, ProbePhase.CONNECT, "ECONNREFUSED", "nobody");
  private static final ProbeFinding ENCRYPT =
      ProbeFinding.of(Reason.RPC_ERROR, ProbePhase.ENCRYPT, "UNKNOWN", "no");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          nothing is told before the first probe            |                                | NOTHING
          a good first result is told at once               | 0:g                            | HEALTHY
          a failing first result is not told                | 0:c                            | NOTHING
          nor one that fails again soon                     | 0:c 10:c 20:c 29.9:c           | NOTHING
          it is told when it still fails 30 s later         | 0:c 10:c 20:c 30:c             | FAILING
          a plugin that comes up meanwhile is healthy       | 0:c 10:c 20:g                  | HEALTHY
          one timeout flips nothing                         | 0:g 30:t                       | HEALTHY
          two timeouts in a row do                          | 0:g 30:t 40:t                  | FAILING
          but not when they are closer than the delay       | 0:g 30:t 31:t                  | HEALTHY
          and then the third one does                       | 0:g 30:t 31:t 40:t             | FAILING
          a good one between them breaks the row            | 0:g 30:t 35:g 40:t             | HEALTHY
          a lost connection is confirmed after half a second| 0:g 7:c 7.5:c                  | FAILING
          but not sooner                                    | 0:g 7:c 7.4:c                  | HEALTHY
          and then the third one does it                    | 0:g 7:c 7.1:c 7.6:c            | FAILING
          also when a call broke off before                 | 0:g 7:t 7.1:c 7.6:c            | FAILING
          but not by the call that broke off                | 0:g 7:t 7.6:c                  | HEALTHY
          four failures among ten probes                    | 0:g 1:t 2:g 3:t 4:g 5:t 6:g 7:t| FAILING
          three are not enough                              | 0:g 1:t 2:g 3:t 4:g 5:t 6:g    | HEALTHY
          a good Status alone is no recovery                | 0:g 30:t 40:t 50:g             | FAILING
          a good Status and a good round trip are           | 0:g 30:t 40:t 50:g 50:G        | HEALTHY
          a round trip from before proves nothing           | 0:g 30:t 40:t 41:G 50:t 60:g   | FAILING
          nor one that was good before Status failed        | 0:g 0:G 30:t 40:t 50:g         | FAILING
          nor one that ended while Status failed            | 0:g 30:t 40:t 41:G 60:g        | FAILING
          nor one that began before Status was good again   | 0:g 30:t 40:t 50:g 29:G        | FAILING
          but the next one does                             | 0:g 30:t 40:t 50:g 29:G 51:G   | HEALTHY
          a failure from before tells nothing either        | 0:g 30:t 40:t 50:g 29:F 51:G   | HEALTHY
          one failed round trip flips nothing               | 0:g 0:F                        | HEALTHY
          also when Status is good in between               | 0:g 0:F 5:g 30:g               | HEALTHY
          two failed round trips do                         | 0:g 0:F 5:g 10:F               | FAILING
          a good round trip is their recovery               | 0:g 0:F 10:F 20:g 70:G         | HEALTHY
          a good Status is not                              | 0:g 0:F 10:F 20:g 50:g         | FAILING
          two key ids change nothing                        | 0:g 0:s 10:s 20:s              | HEALTHY
          not even during a failure                         | 0:g 30:t 40:t 50:g 50:s        | FAILING
          """)
  void is_damped(String rule, @Nullable String story, String expected) {
    assertThat(tell(story, true).published().getClass().getSimpleName().toUpperCase(Locale.ROOT))
        .isEqualTo(expected);
  }

  @Test
  void without_round_trips_a_good_status_is_recovery_enough() {
    assertThat(tell("0:g 30:t 40:t 50:g", false).published())
        .isEqualTo(new PublishedState.Healthy());
  }

  @Test
  void after_flapping_five_good_probes_in_a_row_are_needed() {
    var flapping = "0:g 1:t 2:g 3:t 4:g 5:t 6:g 7:t ";
    assertThat(tell(flapping + "8:g 8:G 9:g 10:g 11:g", true).failing()).isTrue();
    assertThat(tell(flapping + "8:g 8:G 9:g 10:g 11:g 12:g", true).failing()).isFalse();
    assertThat(tell(flapping + "8:g 8:G 9:g 10:t 11:g 11:G 12:g 13:g", true).failing()).isTrue();
  }

  @Test
  void failures_before_a_published_change_count_no_more() {
    var recovered = "0:g 1:t 2:g 3:t 4:g 30:t 40:t 50:g 50:G ";
    assertThat(tell(recovered + "60:t 61:g 62:t 63:g", true).failing()).isFalse();
  }

  @Test
  void a_new_cause_is_told_at_once_while_failing() {
    assertThat(tell("0:g 30:t 40:t 50:c", true).published())
        .isEqualTo(new PublishedState.Failing(REFUSED, 1, 1));
  }

  @Test
  void a_failed_round_trip_does_not_hide_a_failing_status() {
    assertThat(tell("0:g 30:t 40:t 41:F", true).published())
        .isEqualTo(new PublishedState.Failing(TIMEOUT, 1, 1));
  }

  @Test
  void what_does_not_count_yet_is_suspect() {
    assertThat(tell("0:g", true).suspect()).isFalse();
    assertThat(tell("0:g 30:t", true).suspect()).isTrue();
    assertThat(tell("0:g 0:F", true).suspect()).isTrue();
    assertThat(tell("0:g 0:s", true).suspect()).isTrue();
    assertThat(tell("0:g 0:s 10:G", true).suspect()).isFalse();
    assertThat(tell("0:c", true).suspect()).isTrue();
    assertThat(tell("0:g 30:t 40:t", true).suspect()).isFalse();
  }

  private static ReportDebounce tell(@Nullable String story, boolean deep) {
    var reportDebounce =
        ReportDebounce.initial(new ReportDebounce.Rules(Duration.ofSeconds(10), deep));
    for (var word : story == null ? new String[0] : story.strip().split(" +")) {
      var parts = word.split(":");
      var at = Duration.ofMillis(Math.round(Double.parseDouble(parts[0]) * 1000));
      reportDebounce =
          switch (parts[1]) {
            case "g" -> reportDebounce.after(ProbeLevel.STATUS, ProbeOutcome.GOOD, at);
            case "t" ->
                reportDebounce.after(ProbeLevel.STATUS, new ProbeOutcome.Failing(TIMEOUT), at);
            case "c" ->
                reportDebounce.after(ProbeLevel.STATUS, new ProbeOutcome.Failing(REFUSED), at);
            case "G" -> reportDebounce.after(ProbeLevel.DEEP, ProbeOutcome.GOOD, at);
            case "F" ->
                reportDebounce.after(ProbeLevel.DEEP, new ProbeOutcome.Failing(ENCRYPT), at);
            case "s" ->
                reportDebounce.after(ProbeLevel.DEEP, new ProbeOutcome.Suspect(ENCRYPT), at);
            default -> throw new AssertionError(word);
          };
    }
    return reportDebounce;
  }
}

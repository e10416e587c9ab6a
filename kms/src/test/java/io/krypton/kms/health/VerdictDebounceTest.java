// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.health.ProbeFinding.ProbePhase;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each row is a story: {@code o} all good, {@code w} a WAIT, {@code f} a FATAL observation. */
class VerdictDebounceTest {
  private static final ProbeFinding WAITING =
      ProbeFinding.of(Reason.RPC_ERROR, ProbePhase.STATUS, "UNAVAILABLE", "later");
  private static final ProbeFinding FATAL =
      ProbeFinding.of(Reason.RPC_REFUSED, ProbePhase.STATUS, "FAILED_PRECONDITION", "disabled");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          at first the verdict is WAIT                  |                     | WAIT
          one good round is OK                          | 0:o                 | OK
          a failure before the first OK is WAIT         | 0:w                 | WAIT
          one FATAL candidate is WAIT                   | 0:f                 | WAIT
          three within less than 5 s are WAIT           | 0:f 2:f 4.9:f       | WAIT
          three over 5 s are FATAL                      | 0:f 2.5:f 5:f       | FATAL
          two over 5 s are WAIT                         | 0:f 9:f             | WAIT
          a WAIT between them neither counts nor resets | 0:f 1:w 2.5:f 3:w 5:f | FATAL
          an OK between them resets                     | 0:f 2.5:f 3:o 5:f   | OK
          after an OK one failure is not believed       | 0:o 60:w            | OK
          nor two that are close together               | 0:o 60:w 65:w       | OK
          two that are far enough apart are             | 0:o 60:w 70:w       | WAIT
          an OK between them is a new start             | 0:o 60:w 65:o 75:w  | OK
          FATAL comes through from OK as well           | 0:o 60:f 62.5:f 65:f| FATAL
          FATAL is not sticky: a WAIT is a WAIT         | 0:f 2:f 5:f 8:w     | WAIT
          and an OK is OK                               | 0:f 2:f 5:f 8:o     | OK
          while a further candidate is FATAL at once    | 0:f 2:f 5:f 8:w 9:f | FATAL
          """)
  void is_confirmed(String rule, @Nullable String story, Verdict expected) {
    assertThat(tell(story, 3).verdict()).isEqualTo(expected);
  }

  @Test
  void progress_towards_fatal_is_told() {
    assertThat(tell("0:f 2:f", 3).progress()).contains("fatal candidate 2/3");
    assertThat(tell("0:w", 3).progress()).isEmpty();
    assertThat(tell("0:f 2:f 5:f", 3).progress()).isEmpty();
  }

  @Test
  void a_failure_that_is_not_believed_is_suspect() {
    assertThat(tell("0:o 60:w", 3).suspect()).isTrue();
    assertThat(tell("0:o 60:w 70:w", 3).suspect()).isFalse();
    assertThat(tell("0:w", 3).suspect()).isFalse();
  }

  @Test
  void with_one_candidate_asked_for_it_is_fatal_at_once() {
    assertThat(tell("0:f", 1).verdict()).isEqualTo(Verdict.FATAL);
  }

  @Test
  void an_unusable_address_needs_no_confirmation() {
    var unusable = ProbeFinding.of(Reason.ADDRESS_UNUSABLE, ProbePhase.ADDRESS, "", "empty");
    assertThat(tell(null, 3).afterFailure(unusable, Duration.ZERO).verdict())
        .isEqualTo(Verdict.FATAL);
  }

  @Test
  void a_degradation_stays_visible_beside_ok() {
    var degraded = ProbeFinding.of(Reason.OLD_KEY_UNREADABLE, ProbePhase.CANARY, "", "gone");
    var state = tell(null, 3).afterOk(degraded);
    assertThat(state.verdict()).isEqualTo(Verdict.OK);
    assertThat(state.finding()).isEqualTo(degraded);
  }

  private static VerdictDebounce tell(@Nullable String story, int candidates) {
    var state =
        VerdictDebounce.initial(new VerdictDebounce.Rules(candidates, Duration.ofSeconds(10)));
    for (var word : story == null ? new String[0] : story.strip().split(" +")) {
      var parts = word.split(":");
      var at = Duration.ofMillis(Math.round(Double.parseDouble(parts[0]) * 1000));
      state =
          switch (parts[1]) {
            case "o" -> state.afterOk(null);
            case "w" -> state.afterFailure(WAITING, at);
            case "f" -> state.afterFailure(FATAL, at);
            default -> throw new AssertionError(word);
          };
    }
    return state;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.health.ProbeFinding.ProbePhase;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class EscalationTest {
  private static final ProbeFinding UNAUTHENTICATED =
      ProbeFinding.of(Reason.UNAUTHENTICATED, ProbePhase.STATUS, "UNAUTHENTICATED", "expired");
  private static final ProbeFinding MISMATCH =
      ProbeFinding.of(Reason.KEY_ID_MISMATCH, ProbePhase.KEY_ID_MISMATCH, "", "two");
  private static final ProbeFinding OTHER =
      ProbeFinding.of(Reason.RPC_ERROR, ProbePhase.STATUS, "UNKNOWN", "x");

  private Escalation state = Escalation.NONE;

  @Test
  void unauthenticated_is_fatal_after_60_seconds_without_a_break() {
    assertThat(verdictAt(0, UNAUTHENTICATED)).isEqualTo(Verdict.WAIT);
    assertThat(verdictAt(59, UNAUTHENTICATED)).isEqualTo(Verdict.WAIT);
    assertThat(verdictAt(60, UNAUTHENTICATED)).isEqualTo(Verdict.FATAL);
  }

  @Test
  void any_other_result_is_a_break() {
    verdictAt(0, UNAUTHENTICATED);
    verdictAt(50, OTHER);
    assertThat(verdictAt(61, UNAUTHENTICATED)).isEqualTo(Verdict.WAIT);
    state = state.after(ProbeOutcome.GOOD, Duration.ofSeconds(100)).next();
    assertThat(verdictAt(121, UNAUTHENTICATED)).isEqualTo(Verdict.WAIT);
  }

  @Test
  void a_canary_without_authentication_counts_as_well() {
    var canary =
        ProbeFinding.of(Reason.CANARY_FAILED, ProbePhase.CANARY, "UNAUTHENTICATED", "expired");
    verdictAt(0, canary);
    assertThat(verdictAt(60, canary)).isEqualTo(Verdict.FATAL);
  }

  @Test
  void two_key_ids_are_suspect_for_90_seconds_and_fatal_then() {
    assertThat(outcomeAt(0, MISMATCH)).isEqualTo(new ProbeOutcome.Suspect(MISMATCH));
    assertThat(outcomeAt(89, MISMATCH)).isEqualTo(new ProbeOutcome.Suspect(MISMATCH));
    assertThat(outcomeAt(90, MISMATCH))
        .isEqualTo(new ProbeOutcome.Failing(MISMATCH.withVerdict(Verdict.FATAL)));
  }

  @Test
  void a_rotation_that_ends_in_time_leaves_no_trace() {
    outcomeAt(0, MISMATCH);
    state = state.after(ProbeOutcome.GOOD, Duration.ofSeconds(30)).next();
    assertThat(outcomeAt(100, MISMATCH)).isInstanceOf(ProbeOutcome.Suspect.class);
  }

  @Test
  void other_failures_pass_unchanged() {
    assertThat(outcomeAt(0, OTHER)).isEqualTo(new ProbeOutcome.Failing(OTHER));
  }

  private Verdict verdictAt(int seconds, ProbeFinding probeFinding) {
    return ((ProbeOutcome.Failing) outcomeAt(seconds, probeFinding)).finding().verdict();
  }

  private ProbeOutcome outcomeAt(int seconds, ProbeFinding probeFinding) {
    var step = state.after(new ProbeOutcome.Failing(probeFinding), Duration.ofSeconds(seconds));
    state = step.next();
    return step.outcome();
  }
}

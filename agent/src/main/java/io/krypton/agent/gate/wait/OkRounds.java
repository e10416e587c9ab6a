package io.krypton.agent.gate.wait;

import io.krypton.agent.gate.snapshot.Judgement;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;

/**
 * Counts rounds in a row in which all required providers were OK, each from fresh probes.
 *
 * @param counted the monotonic clock when the last one was counted
 */
record OkRounds(int count, Duration counted) {
  static final OkRounds NONE = new OkRounds(0, Duration.ZERO);

  private static final Duration APART = Duration.ofSeconds(1);

  OkRounds after(Judgement judgement, Duration now) {
    if (judgement.overall() != Verdict.OK
        || judgement.required().stream().anyMatch(state -> state.isSuspect())) {
      return NONE;
    }
    return count == 0 || (now.minus(counted).compareTo(APART) >= 0 && isFresh(judgement))
        ? new OkRounds(count + 1, now)
        : this;
  }

  private boolean isFresh(Judgement judgement) {
    return judgement.required().stream()
        .allMatch(
            state ->
                state.observed() != null && state.observed().finished().compareTo(counted) > 0);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * When a gate believes what it sees: FATAL needs several candidates over some time, and after an OK
 * one failure is not enough for WAIT. An immutable state; times are monotonic and those of the
 * start of a probe.
 *
 * @param finding what the last probe found wrong, if it did
 */
public record VerdictDebounce(
    Rules rules,
    Verdict verdict,
    boolean suspect,
    @Nullable ProbeFinding finding,
    int candidates,
    @Nullable Duration firstCandidate,
    @Nullable Duration firstFailure) {
  private static final Duration FATAL_SPAN = Duration.ofSeconds(5);

  /**
   * What is enough.
   *
   * @param fatalCandidates how many FATAL observations make a FATAL verdict; 1 means at once
   * @param confirmGap the least time between the two failures that end an OK
   */
  public record Rules(int fatalCandidates, Duration confirmGap) {}

  public static VerdictDebounce initial(Rules rules) {
    return new VerdictDebounce(rules, Verdict.WAIT, false, null, 0, null, null);
  }

  /** All levels that are due were good; a finding with the verdict OK is only a degradation. */
  public VerdictDebounce afterOk(@Nullable ProbeFinding degraded) {
    return new VerdictDebounce(rules, Verdict.OK, false, degraded, 0, null, null);
  }

  public VerdictDebounce afterFailure(ProbeFinding found, Duration at) {
    var fatal = found.verdict() == Verdict.FATAL;
    var count = fatal ? candidates + 1 : candidates;
    var first = fatal && firstCandidate == null ? at : firstCandidate;
    var failingSince = firstFailure == null ? at : firstFailure;
    var confirmed = fatal && (isFinal(found) || isConfirmed(count, first, at));
    var believed = confirmed ? Verdict.FATAL : afterUnconfirmed(failingSince, at);
    return new VerdictDebounce(
        rules, believed, believed == Verdict.OK, found, count, first, failingSince);
  }

  /** Only a new file can cure an address, so there is nothing to wait for. */
  private static boolean isFinal(ProbeFinding found) {
    return found.reason() == Reason.ADDRESS_UNUSABLE;
  }

  private boolean isConfirmed(int count, @Nullable Duration first, Duration at) {
    return count >= rules.fatalCandidates()
        && first != null
        && (rules.fatalCandidates() == 1 || at.minus(first).compareTo(FATAL_SPAN) >= 0);
  }

  private Verdict afterUnconfirmed(Duration failingSince, Duration at) {
    var brief = at.minus(failingSince).compareTo(rules.confirmGap()) < 0;
    return verdict == Verdict.OK && (brief || firstFailure == null) ? Verdict.OK : Verdict.WAIT;
  }

  /** How far a FATAL verdict is, such as {@code fatal candidate 2/3}. */
  public Optional<String> progress() {
    return candidates > 0 && verdict != Verdict.FATAL
        ? Optional.of("fatal candidate %d/%d".formatted(candidates, rules.fatalCandidates()))
        : Optional.empty();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import java.time.Duration;

/**
 * Keeps a reporter from telling every hiccup, and from hiding a plugin that fails now and then. An
 * immutable state: {@link #after} gives the next one. Times are monotonic and those of the start of
 * a probe.
 */
public record ReportDebounce(
    Rules rules,
    PublishedState published,
    ProbeHistory status,
    ProbeHistory deep,
    boolean undecided) {
  private static final Duration START_GRACE = Duration.ofSeconds(30);
  private static final Duration CONNECT_GAP = Duration.ofMillis(500);
  private static final int ENOUGH_IN_ROW = 2;
  private static final int ENOUGH_AMONG_TEN = 4;
  private static final int GOOD_AFTER_FLAPPING = 5;

  /**
   * What depends on the settings of the reporter.
   *
   * @param confirmGap the least time between two failures that confirm each other; a failure to
   *     connect is confirmed after 500 ms
   * @param deep whether round trips are made, so that recovery needs one
   */
  public record Rules(Duration confirmGap, boolean deep) {}

  public static ReportDebounce initial(Rules rules) {
    return new ReportDebounce(
        rules, new PublishedState.Nothing(), ProbeHistory.EMPTY, ProbeHistory.EMPTY, false);
  }

  /** Whether something is wrong that does not count yet. */
  public boolean suspect() {
    return undecided
        || (!(published instanceof PublishedState.Failing)
            && (status.isFailing() || deep.isFailing()));
  }

  public boolean failing() {
    return published instanceof PublishedState.Failing;
  }

  public ReportDebounce after(ProbeLevel probeLevel, ProbeOutcome probeOutcome, Duration at) {
    if (probeLevel == ProbeLevel.DEEP && status.hasFailedSince(at)) {
      // A round trip that began before an outage tells nothing about the time after it.
      return this;
    }
    return switch (probeOutcome) {
      case ProbeOutcome.Suspect ignored -> new ReportDebounce(rules, published, status, deep, true);
      case ProbeOutcome.Good _, ProbeOutcome.OldKeysUnreadable _ ->
          withHistory(probeLevel, history(probeLevel).withSuccess(at)).afterGood(probeLevel);
      case ProbeOutcome.Failing failing ->
          withHistory(probeLevel, history(probeLevel).withFailure(failing.finding(), at))
              .afterFailure(probeLevel, failing.finding(), at);
    };
  }

  private ProbeHistory history(ProbeLevel probeLevel) {
    return probeLevel == ProbeLevel.STATUS ? status : deep;
  }

  private ReportDebounce withHistory(ProbeLevel probeLevel, ProbeHistory probeHistory) {
    return probeLevel == ProbeLevel.STATUS
        ? new ReportDebounce(rules, published, probeHistory, deep, undecided)
        : new ReportDebounce(rules, published, status, probeHistory, false);
  }

  private ReportDebounce afterGood(ProbeLevel probeLevel) {
    return switch (published) {
      case PublishedState.Nothing nothing when probeLevel == ProbeLevel.DEEP -> this;
      case PublishedState.Nothing nothing -> publish(new PublishedState.Healthy());
      case PublishedState.Healthy healthy -> this;
      case PublishedState.Failing failing ->
          status.consecutiveSuccesses() >= failing.goodStatus()
                  && deep.consecutiveSuccesses() >= failing.goodDeep()
              ? publish(new PublishedState.Healthy())
              : this;
    };
  }

  private ReportDebounce afterFailure(
      ProbeLevel probeLevel, ProbeFinding probeFinding, Duration at) {
    // A round trip from before the failure is no proof of recovery.
    var next =
        probeLevel == ProbeLevel.STATUS
            ? withHistory(ProbeLevel.DEEP, deep.withoutSuccesses())
            : this;
    return switch (published) {
      case PublishedState.Nothing nothing ->
          lasts(history(probeLevel), at, START_GRACE)
              ? next.publish(consecutiveFailure(probeFinding))
              : next;
      case PublishedState.Healthy healthy -> {
        var probeHistory = history(probeLevel);
        if (probeHistory.consecutiveFailures() >= ENOUGH_IN_ROW && isConfirmed(probeHistory, at)) {
          yield next.publish(consecutiveFailure(probeFinding));
        }
        yield probeHistory.failuresAmongLastTen() >= ENOUGH_AMONG_TEN
            ? next.publish(flapping(probeLevel, probeFinding))
            : next;
      }
      case PublishedState.Failing failing ->
          new ReportDebounce(
              rules,
              new PublishedState.Failing(probeFinding, failing.goodStatus(), failing.goodDeep()),
              next.status,
              next.deep,
              false);
    };
  }

  private PublishedState consecutiveFailure(ProbeFinding probeFinding) {
    return new PublishedState.Failing(probeFinding, 1, rules.deep() ? 1 : 0);
  }

  private PublishedState flapping(ProbeLevel probeLevel, ProbeFinding probeFinding) {
    return probeLevel == ProbeLevel.STATUS
        ? new PublishedState.Failing(probeFinding, GOOD_AFTER_FLAPPING, rules.deep() ? 1 : 0)
        : new PublishedState.Failing(probeFinding, 1, GOOD_AFTER_FLAPPING);
  }

  private ReportDebounce publish(PublishedState change) {
    return new ReportDebounce(rules, change, status.withoutWindow(), deep.withoutWindow(), false);
  }

  /** Whatever failed before it: that nobody can be connected needs no longer to be believed. */
  private boolean isConfirmed(ProbeHistory probeHistory, Duration at) {
    var unconnected = probeHistory.unconnectedSince();
    return lasts(probeHistory, at, gap(probeHistory))
        || (unconnected != null && at.minus(unconnected).compareTo(CONNECT_GAP) >= 0);
  }

  private Duration gap(ProbeHistory probeHistory) {
    var first = probeHistory.first();
    return first != null && first.finding().phase() == ProbePhase.CONNECT
        ? CONNECT_GAP
        : rules.confirmGap();
  }

  private static boolean lasts(ProbeHistory probeHistory, Duration at, Duration least) {
    var first = probeHistory.first();
    return first != null && at.minus(first.at()).compareTo(least) >= 0;
  }

  /** What a reporter publishes about a plugin after debouncing. */
  public sealed interface PublishedState {
    /** Nothing yet: a plugin that starts beside the reporter is not failing. */
    record Nothing() implements PublishedState {}

    record Healthy() implements PublishedState {}

    /**
     * Published as failing until enough good probes have been seen.
     *
     * @param goodStatus how many good probes in a row end it
     * @param goodDeep how many good round trips, after the first good probe, end it
     */
    record Failing(ProbeFinding finding, int goodStatus, int goodDeep) implements PublishedState {}
  }
}

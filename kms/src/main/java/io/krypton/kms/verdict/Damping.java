package io.krypton.kms.verdict;

import java.time.Duration;

/**
 * Keeps a reporter from telling every hiccup, and from hiding a plugin that fails now and then. An
 * immutable state: {@link #after} gives the next one. Times are monotonic and those of the start of
 * a probe.
 */
public record Damping(
    Rules rules, Published published, Track status, Track deep, boolean undecided) {
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

  public static Damping atStart(Rules rules) {
    return new Damping(rules, new Published.Nothing(), Track.EMPTY, Track.EMPTY, false);
  }

  /** Whether something is wrong that does not count yet. */
  public boolean suspect() {
    return undecided
        || (!(published instanceof Published.Failing) && (status.isFailing() || deep.isFailing()));
  }

  public boolean failing() {
    return published instanceof Published.Failing;
  }

  public Damping after(Level level, Outcome outcome, Duration at) {
    if (level == Level.DEEP && status.hasFailedSince(at)) {
      // A round trip that began before an outage tells nothing about the time after it.
      return this;
    }
    return switch (outcome) {
      case Outcome.Suspect ignored -> new Damping(rules, published, status, deep, true);
      case Outcome.Good _, Outcome.OldKeysUnreadable _ ->
          moved(level, track(level).good(at)).afterGood(level);
      case Outcome.Failing failing ->
          moved(level, track(level).failed(failing.finding(), at))
              .afterFailure(level, failing.finding(), at);
    };
  }

  private Track track(Level level) {
    return level == Level.STATUS ? status : deep;
  }

  private Damping moved(Level level, Track track) {
    return level == Level.STATUS
        ? new Damping(rules, published, track, deep, undecided)
        : new Damping(rules, published, status, track, false);
  }

  private Damping afterGood(Level level) {
    return switch (published) {
      case Published.Nothing nothing when level == Level.DEEP -> this;
      case Published.Nothing nothing -> publish(new Published.Healthy());
      case Published.Healthy healthy -> this;
      case Published.Failing failing ->
          status.goodInRow() >= failing.goodStatus() && deep.goodInRow() >= failing.goodDeep()
              ? publish(new Published.Healthy())
              : this;
    };
  }

  private Damping afterFailure(Level level, Finding finding, Duration at) {
    // A round trip from before the failure is no proof of recovery.
    var next = level == Level.STATUS ? moved(Level.DEEP, deep.withoutGood()) : this;
    return switch (published) {
      case Published.Nothing nothing ->
          lasts(track(level), at, START_GRACE) ? next.publish(inRow(finding)) : next;
      case Published.Healthy healthy -> {
        var track = track(level);
        if (track.failuresInRow() >= ENOUGH_IN_ROW && isConfirmed(track, at)) {
          yield next.publish(inRow(finding));
        }
        yield track.failuresAmongLastTen() >= ENOUGH_AMONG_TEN
            ? next.publish(flapping(level, finding))
            : next;
      }
      case Published.Failing failing ->
          new Damping(
              rules,
              new Published.Failing(finding, failing.goodStatus(), failing.goodDeep()),
              next.status,
              next.deep,
              false);
    };
  }

  private Published inRow(Finding finding) {
    return new Published.Failing(finding, 1, rules.deep() ? 1 : 0);
  }

  private Published flapping(Level level, Finding finding) {
    return level == Level.STATUS
        ? new Published.Failing(finding, GOOD_AFTER_FLAPPING, rules.deep() ? 1 : 0)
        : new Published.Failing(finding, 1, GOOD_AFTER_FLAPPING);
  }

  private Damping publish(Published change) {
    return new Damping(rules, change, status.withoutPast(), deep.withoutPast(), false);
  }

  /** Whatever failed before it: that nobody can be connected needs no longer to be believed. */
  private boolean isConfirmed(Track track, Duration at) {
    var unconnected = track.unconnectedSince();
    return lasts(track, at, gap(track))
        || (unconnected != null && at.minus(unconnected).compareTo(CONNECT_GAP) >= 0);
  }

  private Duration gap(Track track) {
    var first = track.first();
    return first != null && first.finding().phase() == Phase.CONNECT
        ? CONNECT_GAP
        : rules.confirmGap();
  }

  private static boolean lasts(Track track, Duration at, Duration least) {
    var first = track.first();
    return first != null && at.minus(first.at()).compareTo(least) >= 0;
  }
}

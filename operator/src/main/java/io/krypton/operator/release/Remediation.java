package io.krypton.operator.release;

import java.util.OptionalInt;

/** What follows an upgrade that failed again: the values of {@code --upgrade-remediation}. */
public enum Remediation {
  NONE,
  ROLLBACK;

  private static final int FAILURES_BEFORE_ROLLBACK = 5;

  /** Whether there may be a rollback after this many failures in a row. */
  public boolean isDueAfter(int failures) {
    return this == ROLLBACK && failures >= FAILURES_BEFORE_ROLLBACK;
  }

  /** The revision to roll back to after this many failures in a row; empty to leave it as it is. */
  public OptionalInt rollbackTo(int failures, ReleaseHistory history) {
    var latestFailed =
        history.latest().filter(it -> it.status() == ReleaseStatus.FAILED).isPresent();
    if (!isDueAfter(failures) || !latestFailed) {
      return OptionalInt.empty();
    }
    return history.lastGood().stream().mapToInt(Revision::version).findFirst();
  }
}

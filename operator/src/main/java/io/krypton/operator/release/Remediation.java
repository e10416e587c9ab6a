package io.krypton.operator.release;

import java.util.OptionalInt;

/** What follows an upgrade that failed again: the values of {@code --upgrade-remediation}. */
public enum Remediation {
  NONE,
  ROLLBACK;

  private static final int FAILURES_BEFORE_ROLLBACK = 5;

  /** The revision to roll back to after this many failures in a row; empty to leave it as it is. */
  public OptionalInt rollbackTo(int failures, ReleaseHistory history) {
    var latestFailed =
        history.latest().filter(it -> it.status() == ReleaseStatus.FAILED).isPresent();
    if (this == NONE || failures < FAILURES_BEFORE_ROLLBACK || !latestFailed) {
      return OptionalInt.empty();
    }
    return history.lastGood().stream().mapToInt(Revision::version).findFirst();
  }
}

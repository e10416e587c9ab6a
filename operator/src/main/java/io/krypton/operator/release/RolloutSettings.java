// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.release.decide.ReleaseHistory;
import io.krypton.operator.release.decide.Revision;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.time.Duration;
import java.util.OptionalInt;

/**
 * How releases are rolled out.
 *
 * @param instance random id of this process, a label of the releases it makes
 * @param rollbackAfterFailures go back to the last good revision when an upgrade keeps failing:
 *     {@code --upgrade-remediation}
 * @param adoptAnyNamespace use namespaces that others made even if nobody allowed it
 */
public record RolloutSettings(
    String instance,
    Duration helmTimeout,
    Duration uninstallTimeout,
    Duration readyTimeout,
    DriftMode drift,
    boolean rollbackAfterFailures,
    boolean adoptAnyNamespace) {
  private static final int FAILURES_BEFORE_ROLLBACK = 5;

  /** Whether a rollback follows this many failed upgrades in a row. */
  boolean isRollbackDueAfter(int failures) {
    return rollbackAfterFailures && failures >= FAILURES_BEFORE_ROLLBACK;
  }

  /** The revision to roll back to after this many failures in a row; empty: no rollback. */
  OptionalInt rollbackTo(int failures, ReleaseHistory history) {
    var latestFailed =
        history.latest().filter(it -> it.status() == ReleaseStatus.FAILED).isPresent();
    return isRollbackDueAfter(failures) && latestFailed
        ? history.lastGood().stream().mapToInt(Revision::version).findFirst()
        : OptionalInt.empty();
  }

  /** What is done about objects that others changed. */
  public enum DriftMode {
    REPAIR,
    WARN,
    IGNORE
  }
}

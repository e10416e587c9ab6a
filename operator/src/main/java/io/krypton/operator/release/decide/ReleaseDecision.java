package io.krypton.operator.release.decide;

import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** The one thing to do next about a release. */
public sealed interface ReleaseDecision {

  /**
   * Read the history from the API server and decide again: a cache that lags behind shows a release
   * as pending that has just been deployed, and unlocking would take it away.
   */
  record Confirm() implements ReleaseDecision {}

  /** {@code missing}: it had been installed before, somebody removed it. */
  record Install(boolean missing) implements ReleaseDecision {}

  /** {@code announce}: a run was requested, so report that nothing had to be done. */
  record UpToDate(boolean announce) implements ReleaseDecision {}

  record Upgrade(Cause cause) implements ReleaseDecision {}

  /** Uninstall, then install: hooks of a first install must run again. */
  record Reinstall() implements ReleaseDecision {}

  /** Install over history that was kept by hand, which a plain install refuses. */
  record InstallOverHistory() implements ReleaseDecision {}

  /** Locked by a running operation; {@code until} is when it may count as abandoned. */
  record Wait(@Nullable Instant until) implements ReleaseDecision {}

  record UnlockByRollback(int from, int to) implements ReleaseDecision {}

  record UnlockByUninstall(int from) implements ReleaseDecision {}

  /** Why a deployed release is upgraded. */
  enum Cause {
    CHANGED,
    FORCED,
    FAILED_BEFORE
  }
}

package io.krypton.operator.release;

import io.krypton.operator.release.ReleaseDecision.Cause;
import java.time.Instant;

/** Decides about a release by its latest revision; pure. */
public final class WhatNext {
  private WhatNext() {}

  public static ReleaseDecision whatNext(
      Observed observed, Wanted wanted, LockRules locks, Instant now) {
    var decision = byLatestRevision(observed, wanted, locks, now);
    return switch (decision) {
      case ReleaseDecision.UpToDate upToDate -> upToDate;
      case ReleaseDecision.Wait wait -> wait;
      default -> observed.live() ? decision : new ReleaseDecision.Confirm();
    };
  }

  private static ReleaseDecision byLatestRevision(
      Observed observed, Wanted wanted, LockRules locks, Instant now) {
    // Whatever the Secrets say: while our process works on it, they are about to change.
    if (observed.running()) {
      return new ReleaseDecision.Wait(null);
    }
    var latest = observed.history().latest().orElse(null);
    if (latest == null) {
      return new ReleaseDecision.Install(observed.annotated() != null);
    }
    return switch (latest.status()) {
      case DEPLOYED -> aboutDeployed(observed, latest, wanted);
      case FAILED, SUPERSEDED, UNKNOWN -> afterFailure(observed.history());
      case PENDING_INSTALL, PENDING_UPGRADE, PENDING_ROLLBACK ->
          aboutPending(observed, latest, locks, now);
      case UNINSTALLING -> new ReleaseDecision.Reinstall();
      case UNINSTALLED -> new ReleaseDecision.InstallOverHistory();
    };
  }

  private static ReleaseDecision aboutDeployed(Observed observed, Revision latest, Wanted wanted) {
    if (!holds(latest, observed, wanted.fingerprint())) {
      return new ReleaseDecision.Upgrade(Cause.CHANGED);
    }
    if (wanted.forced()) {
      return new ReleaseDecision.Upgrade(Cause.FORCED);
    }
    return observed.drifted()
        ? new ReleaseDecision.Upgrade(Cause.DRIFTED)
        : new ReleaseDecision.UpToDate(wanted.asked());
  }

  /**
   * The label decides: it is written with the release, the annotation after it. On a revision that
   * somebody else made it is a copy; then the annotation tells whether more is wanted than to put
   * things back.
   */
  private static boolean holds(Revision latest, Observed observed, Fingerprint wanted) {
    var label = latest.fingerprintLabel();
    return (label == null || latest.isForeign(observed.reported()))
        ? wanted.hex().equals(observed.annotated())
        : wanted.label().equals(label);
  }

  private static ReleaseDecision afterFailure(ReleaseHistory history) {
    return history.lastGood().isPresent()
        ? new ReleaseDecision.Upgrade(Cause.FAILED_BEFORE)
        : new ReleaseDecision.Reinstall();
  }

  private static ReleaseDecision aboutPending(
      Observed observed, Revision latest, LockRules locks, Instant now) {
    var abandonedAt = locks.abandonedAt(latest, observed.lockedSince());
    if (now.isBefore(abandonedAt)) {
      return new ReleaseDecision.Wait(abandonedAt);
    }
    return observed
        .history()
        .lastGood()
        .<ReleaseDecision>map(
            good -> new ReleaseDecision.UnlockByRollback(latest.version(), good.version()))
        .orElseGet(() -> new ReleaseDecision.UnlockByUninstall(latest.version()));
  }
}

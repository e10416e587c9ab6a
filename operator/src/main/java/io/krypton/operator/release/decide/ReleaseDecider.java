// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.decide;

import io.krypton.operator.release.decide.ReleaseDecider.ReleaseDecision.Cause;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Decides about a release by its latest revision; pure. */
public final class ReleaseDecider {
  private ReleaseDecider() {}

  public static ReleaseDecision whatNext(
      ObservedState observedState, DesiredState desiredState, LockPolicy locks, Instant now) {
    var decision = byLatestRevision(observedState, desiredState, locks, now);
    return switch (decision) {
      case ReleaseDecision.UpToDate upToDate -> upToDate;
      case ReleaseDecision.Wait wait -> wait;
      default -> observedState.live() ? decision : new ReleaseDecision.Confirm();
    };
  }

  private static ReleaseDecision byLatestRevision(
      ObservedState observedState, DesiredState desiredState, LockPolicy locks, Instant now) {
    // Whatever the Secrets say: while our process works on it, they are about to change.
    if (observedState.running()) {
      return new ReleaseDecision.Wait(null);
    }
    var latest = observedState.history().latest().orElse(null);
    if (latest == null) {
      return new ReleaseDecision.Install(observedState.appliedFingerprint() != null);
    }
    return switch (latest.status()) {
      case DEPLOYED -> aboutDeployed(observedState, latest, desiredState);
      case FAILED, SUPERSEDED, UNKNOWN -> afterFailure(observedState.history());
      case PENDING_INSTALL, PENDING_UPGRADE, PENDING_ROLLBACK ->
          aboutPending(observedState, latest, locks, now);
      case UNINSTALLING -> new ReleaseDecision.Reinstall();
      case UNINSTALLED -> new ReleaseDecision.InstallOverHistory();
    };
  }

  private static ReleaseDecision aboutDeployed(
      ObservedState observedState, Revision latest, DesiredState desiredState) {
    if (!hasFingerprint(latest, observedState, desiredState.fingerprint())) {
      return new ReleaseDecision.Upgrade(Cause.CHANGED);
    }
    return desiredState.forced()
        ? new ReleaseDecision.Upgrade(Cause.FORCED)
        : new ReleaseDecision.UpToDate(desiredState.requested());
  }

  /**
   * The label decides: it is written with the release, the annotation after it. On a revision that
   * somebody else made it is a copy; then the annotation decides whether more is wanted than to put
   * things back.
   */
  private static boolean hasFingerprint(
      Revision latest, ObservedState observedState, Fingerprint wanted) {
    var label = latest.fingerprintLabel();
    return (label == null || latest.isForeign(observedState.reportedRevision()))
        ? wanted.hex().equals(observedState.appliedFingerprint())
        : wanted.label().equals(label);
  }

  private static ReleaseDecision afterFailure(ReleaseHistory history) {
    return history.lastGood().isPresent()
        ? new ReleaseDecision.Upgrade(Cause.FAILED_BEFORE)
        : new ReleaseDecision.Reinstall();
  }

  private static ReleaseDecision aboutPending(
      ObservedState observedState, Revision latest, LockPolicy locks, Instant now) {
    var abandonedAt = locks.abandonedAt(latest, observedState.lockedSince());
    if (now.isBefore(abandonedAt)) {
      return new ReleaseDecision.Wait(abandonedAt);
    }
    return observedState
        .history()
        .lastGood()
        .<ReleaseDecision>map(
            good -> new ReleaseDecision.UnlockByRollback(latest.version(), good.version()))
        .orElseGet(() -> new ReleaseDecision.UnlockByUninstall(latest.version()));
  }

  /**
   * From when on a pending revision counts as abandoned by the process that made it.
   *
   * @param isInstanceGone whether it is known of another instance that nothing of it runs any more
   */
  public record LockPolicy(
      String ourInstance, Duration helmTimeout, Predicate<String> isInstanceGone) {
    private static final Duration OTHER_INSTANCE_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration HELM_TIMEOUT_MARGIN = Duration.ofSeconds(60);

    /** How long somebody else's Helm may hold a release. */
    public Duration foreignLockTimeout() {
      return helmTimeout.plus(HELM_TIMEOUT_MARGIN);
    }

    /** Nothing is known of other instances. */
    public LockPolicy(String ourInstance, Duration helmTimeout) {
      this(ourInstance, helmTimeout, instance -> false);
    }

    /**
     * When a pending revision may be unlocked.
     *
     * @param since when we saw it first, by our own clock; that of the server may differ
     */
    Instant abandonedAt(Revision pending, Instant since) {
      var instance = pending.instance();
      if (instance != null && (ourInstance.equals(instance) || isInstanceGone.test(instance))) {
        return Instant.MIN;
      }
      // Another instance of ours lost its lease or died. Somebody else's Helm may be alive and
      // slow.
      return since.plus(instance == null ? foreignLockTimeout() : OTHER_INSTANCE_TIMEOUT);
    }
  }

  /**
   * What is known about a release now.
   *
   * @param live the history was read just now, not taken from a cache
   * @param appliedFingerprint the fingerprint on the object from the last success, if there was one
   * @param reportedRevision the revision that the owner's status names; zero if it names none
   * @param lockedSince when we first saw the latest revision pending, by our own clock
   * @param running a Helm process of ours works on this release
   */
  public record ObservedState(
      ReleaseHistory history,
      boolean live,
      @Nullable String appliedFingerprint,
      int reportedRevision,
      Instant lockedSince,
      boolean running) {}

  /**
   * What the release should be.
   *
   * @param forced one run is asked for even if nothing changed
   * @param requested the object changed or a reconcile was requested
   */
  public record DesiredState(Fingerprint fingerprint, boolean forced, boolean requested) {}

  /** The one thing to do next about a release. */
  public sealed interface ReleaseDecision {

    /**
     * Read the history from the API server and decide again: a cache that lags behind shows a
     * release as pending that has just been deployed, and unlocking would take it away.
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
}

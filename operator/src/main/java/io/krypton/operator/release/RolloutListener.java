// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.decide.Revision.ReleaseStatus;
import java.time.Duration;
import java.util.List;

/** Called while a rollout runs. The reconciler of each kind makes events and conditions of it. */
public interface RolloutListener {
  /**
   * A step that may be slow begins. Called before it, so that users see progress and not silence.
   *
   * @param retry the same step failed before, so users know of it already
   */
  void onStepStarted(Activity activity, ReleaseName release, boolean retry);

  /** The step that began last is over, whatever came of it. */
  void onStepEnded();

  void onEvent(RolloutEvent rolloutEvent);

  /** An inspection has ended, with what it could not compare. */
  void onInspected(List<UncheckedObject> unchecked);

  /** Slow steps. */
  enum Activity {
    INSTALLING,
    UPGRADING,
    UNLOCKING
  }

  /** What users may want to know of. */
  sealed interface RolloutEvent {
    record WorkspaceCreated(String namespace) implements RolloutEvent {}

    /** The namespace was there and is not ours; reported when it is used first. */
    record WorkspaceReused(String namespace) implements RolloutEvent {}

    record Installed(ReleaseName release) implements RolloutEvent {}

    record Upgraded(ReleaseName release) implements RolloutEvent {}

    /** A release that was installed before is gone. */
    record ReleaseMissing(ReleaseName release) implements RolloutEvent {}

    /** Only its history is left. */
    record ReleaseNotInstalled(ReleaseName release) implements RolloutEvent {}

    record DriftFound(List<String> missing, List<String> changed, boolean repaired)
        implements RolloutEvent {}

    /** Somebody else's Helm works on the release; it is waited for. */
    record ForeignRun(ReleaseName release, int revision, ReleaseStatus status, Duration timeout)
        implements RolloutEvent {}

    record Unlocked(ReleaseName release, String from, String to) implements RolloutEvent {}

    record RolledBack(ReleaseName release, int from, int to) implements RolloutEvent {}

    record Uninstalled(ReleaseName release) implements RolloutEvent {}

    record UninstallFailed(ReleaseName release, String error) implements RolloutEvent {}

    record WorkspaceDeleteRequested(String namespace) implements RolloutEvent {}

    /** It was made for the owner and stays, because others have put releases into it. */
    record WorkspaceKept(String namespace, List<String> releases) implements RolloutEvent {
      public WorkspaceKept {
        releases = List.copyOf(releases);
      }
    }

    record WorkspaceStuck(String namespace) implements RolloutEvent {}
  }

  /** Called for what metrics count about releases of all owners. */
  interface RolloutMetricsListener {
    RolloutMetricsListener NONE =
        new RolloutMetricsListener() {
          @Override
          public void driftDetected(String cluster, List<String> kinds) {}

          @Override
          public void repaired(String cluster, boolean success) {}

          @Override
          public void unlocked(String cluster, Unlock method) {}
        };

    /** How a lock that nobody held any more was removed. */
    enum Unlock {
      ROLLBACK,
      UNINSTALL
    }

    /** Objects of a release were found missing or changed that were not known to be so before. */
    void driftDetected(String cluster, List<String> kinds);

    /** A repair has ended. */
    void repaired(String cluster, boolean success);

    void unlocked(String cluster, Unlock method);
  }
}

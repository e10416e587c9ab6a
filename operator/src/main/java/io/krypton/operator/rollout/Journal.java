package io.krypton.operator.rollout;

import io.krypton.operator.release.ReleaseName;
import io.krypton.operator.release.ReleaseStatus;
import java.time.Duration;
import java.util.List;

/**
 * Hears what the engine does while it does it. Sources of intent turn this into the events and
 * conditions of their kind.
 */
public interface Journal {
  /**
   * A slow step begins. Called before it, so that users see progress and not silence.
   *
   * @param retry the same step failed before, so users know of it already
   */
  void begins(Activity activity, ReleaseName release, boolean retry);

  void happened(Happening happening);

  /** An inspection has ended; told each time, with what it could not compare. */
  void checked(List<UncheckedObject> unchecked);

  /** Slow steps. */
  enum Activity {
    INSTALLING,
    UPGRADING,
    UNLOCKING,
    DELETING
  }

  /** What users may want to know of. */
  sealed interface Happening {
    record WorkspaceCreated(String namespace) implements Happening {}

    /** The namespace was there and is not ours; told when it is used first. */
    record WorkspaceReused(String namespace) implements Happening {}

    record Installed(ReleaseName release) implements Happening {}

    record Upgraded(ReleaseName release) implements Happening {}

    /** A release that was installed before is gone. */
    record ReleaseMissing(ReleaseName release) implements Happening {}

    /** Only its history is left. */
    record ReleaseNotInstalled(ReleaseName release) implements Happening {}

    record DriftFound(List<String> missing, List<String> changed, boolean repaired)
        implements Happening {}

    /** Somebody else's Helm works on the release; it is waited for. */
    record ForeignRun(ReleaseName release, int revision, ReleaseStatus status, Duration atMost)
        implements Happening {}

    record Unlocked(ReleaseName release, String from, String to) implements Happening {}

    record RolledBack(ReleaseName release, int from, int to) implements Happening {}

    record Uninstalled(ReleaseName release) implements Happening {}

    record UninstallFailed(ReleaseName release, String error) implements Happening {}

    record WorkspaceDeleteRequested(String namespace) implements Happening {}

    /** It was made for the owner and stays, because others have put releases into it. */
    record WorkspaceKept(String namespace, List<String> releases) implements Happening {
      public WorkspaceKept {
        releases = List.copyOf(releases);
      }
    }

    record WorkspaceStuck(String namespace) implements Happening {}
  }
}

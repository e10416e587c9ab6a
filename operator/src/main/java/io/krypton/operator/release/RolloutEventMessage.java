package io.krypton.operator.release;

import io.krypton.operator.release.RolloutListener.RolloutEvent;

/** An event without its object. Old scripts and alerts look for these words. */
public record RolloutEventMessage(boolean warning, String reason, String message) {
  public static RolloutEventMessage normal(String reason, String message) {
    return new RolloutEventMessage(false, reason, message);
  }

  public static RolloutEventMessage warning(String reason, String message) {
    return new RolloutEventMessage(true, reason, message);
  }

  /** The words of a Tenant; other owners have some of their own. */
  public static RolloutEventMessage of(RolloutEvent rolloutEvent) {
    return switch (rolloutEvent) {
      case RolloutEvent.WorkspaceCreated(var namespace) -> normal("WorkspaceCreated", namespace);
      case RolloutEvent.WorkspaceReused(var namespace) -> normal("WorkspaceExists", namespace);
      case RolloutEvent.Installed(var release) -> normal("HelmInstalled", release.value());
      case RolloutEvent.Upgraded(var release) -> normal("HelmUpgraded", release.value());
      case RolloutEvent.ReleaseMissing(var release) ->
          warning("ReleaseMissing", "Helm release missing; re-installing");
      case RolloutEvent.ReleaseNotInstalled(var release) ->
          warning("ReleaseNotInstalled", "Release not installed; re-installing");
      case RolloutEvent.DriftFound drift ->
          drift.repaired()
              ? warning("RepairTriggered", repairMessage(drift))
              : warning("DriftDetected", objects(drift));
      case RolloutEvent.ForeignRun(var release, var revision, var status, var atMost) ->
          normal(
              "ReleaseLocked",
              "%s: revision %d is %s and not of this operator; waiting for its end, at most %d s"
                  .formatted(release, revision, status, atMost.toSeconds()));
      case RolloutEvent.Unlocked(var release, var from, var to) ->
          warning("ReleaseUnlocked", "%s: %s to %s".formatted(release, from, to));
      case RolloutEvent.RolledBack(var release, var from, var to) ->
          warning("HelmRolledBack", "%s: revision %d to %d".formatted(release, from, to));
      case RolloutEvent.Uninstalled(var release) -> normal("HelmUninstalled", release.value());
      case RolloutEvent.UninstallFailed(var release, var error) ->
          warning("HelmUninstallFailed", "%s: %s".formatted(release, error));
      case RolloutEvent.WorkspaceDeleteRequested(var namespace) ->
          normal("WorkspaceDeleteRequested", namespace);
      case RolloutEvent.WorkspaceKept(var namespace, var releases) ->
          warning(
              "WorkspaceKept",
              "namespace %s stays, it holds other releases: %s"
                  .formatted(namespace, MessageText.list(releases)));
      case RolloutEvent.WorkspaceStuck(var namespace) ->
          warning(
              "WorkspaceStuck",
              "namespace %s is still terminating; see its conditions for what holds it"
                  .formatted(namespace));
    };
  }

  /** {@code Detected missing resources, triggered repair: Kind/ns/name}. */
  public static String repairMessage(RolloutEvent.DriftFound drift) {
    var what = drift.missing().isEmpty() ? "changed" : "missing";
    return "Detected %s resources, triggered repair: %s".formatted(what, objects(drift));
  }

  private static String objects(RolloutEvent.DriftFound drift) {
    return MessageText.list(drift.missing().isEmpty() ? drift.changed() : drift.missing());
  }
}

package io.krypton.operator.rollout;

import io.krypton.operator.manifest.Names;
import io.krypton.operator.rollout.Journal.Happening;

/** An event without its object. Old scripts and alerts look for these words. */
public record Words(boolean warning, String reason, String message) {
  public static Words normal(String reason, String message) {
    return new Words(false, reason, message);
  }

  public static Words warning(String reason, String message) {
    return new Words(true, reason, message);
  }

  /** The words of a Tenant; other owners have some of their own. */
  public static Words of(Happening happening) {
    return switch (happening) {
      case Happening.WorkspaceCreated(var namespace) -> normal("WorkspaceCreated", namespace);
      case Happening.WorkspaceReused(var namespace) -> normal("WorkspaceExists", namespace);
      case Happening.Installed(var release) -> normal("HelmInstalled", release.value());
      case Happening.Upgraded(var release) -> normal("HelmUpgraded", release.value());
      case Happening.ReleaseMissing(var release) ->
          warning("ReleaseMissing", "Helm release missing; re-installing");
      case Happening.ReleaseNotInstalled(var release) ->
          warning("ReleaseNotInstalled", "Release not installed; re-installing");
      case Happening.DriftFound drift ->
          drift.repaired()
              ? warning("RepairTriggered", repair(drift))
              : warning("DriftDetected", objects(drift));
      case Happening.ForeignRun(var release, var revision, var status, var atMost) ->
          normal(
              "ReleaseLocked",
              "%s: revision %d is %s and not of this operator; waiting for its end, at most %d s"
                  .formatted(release, revision, status, atMost.toSeconds()));
      case Happening.Unlocked(var release, var from, var to) ->
          warning("ReleaseUnlocked", "%s: %s to %s".formatted(release, from, to));
      case Happening.RolledBack(var release, var from, var to) ->
          warning("HelmRolledBack", "%s: revision %d to %d".formatted(release, from, to));
      case Happening.Uninstalled(var release) -> normal("HelmUninstalled", release.value());
      case Happening.UninstallFailed(var release, var error) ->
          warning("HelmUninstallFailed", "%s: %s".formatted(release, error));
      case Happening.WorkspaceDeleteRequested(var namespace) ->
          normal("WorkspaceDeleteRequested", namespace);
      case Happening.WorkspaceKept(var namespace, var releases) ->
          warning(
              "WorkspaceKept",
              "namespace %s stays, it holds other releases: %s"
                  .formatted(namespace, Names.list(releases)));
      case Happening.WorkspaceStuck(var namespace) ->
          warning(
              "WorkspaceStuck",
              "namespace %s is still terminating; see its conditions for what holds it"
                  .formatted(namespace));
    };
  }

  /** {@code Detected missing resources, triggered repair: Kind/ns/name}. */
  public static String repair(Happening.DriftFound drift) {
    var what = drift.missing().isEmpty() ? "changed" : "missing";
    return "Detected %s resources, triggered repair: %s".formatted(what, objects(drift));
  }

  private static String objects(Happening.DriftFound drift) {
    return Names.list(drift.missing().isEmpty() ? drift.changed() : drift.missing());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release;

import io.krypton.api.event.EventReason;
import io.krypton.api.event.EventReason.EventType;
import io.krypton.operator.release.RolloutListener.RolloutEvent;

/** An event without its object. Scripts and alerts match these reasons and messages. */
public record RolloutEventMessage(EventReason reason, String message) {
  public boolean isWarning() {
    return reason.type() == EventType.WARNING;
  }

  /** As a Tenant gets it; other kinds have some reasons and messages of their own. */
  public static RolloutEventMessage of(RolloutEvent rolloutEvent) {
    return switch (rolloutEvent) {
      case RolloutEvent.WorkspaceCreated(var namespace) ->
          new RolloutEventMessage(EventReason.WORKSPACE_CREATED, namespace);
      case RolloutEvent.WorkspaceReused(var namespace) ->
          new RolloutEventMessage(EventReason.WORKSPACE_EXISTS, namespace);
      case RolloutEvent.Installed(var release) ->
          new RolloutEventMessage(EventReason.HELM_INSTALLED, release.value());
      case RolloutEvent.Upgraded(var release) ->
          new RolloutEventMessage(EventReason.HELM_UPGRADED, release.value());
      case RolloutEvent.ReleaseMissing(var release) ->
          new RolloutEventMessage(
              EventReason.RELEASE_MISSING, "Helm release missing; re-installing");
      case RolloutEvent.ReleaseNotInstalled(var release) ->
          new RolloutEventMessage(
              EventReason.RELEASE_NOT_INSTALLED, "Release not installed; re-installing");
      case RolloutEvent.DriftFound drift ->
          drift.repaired()
              ? new RolloutEventMessage(EventReason.REPAIR_TRIGGERED, repairMessage(drift))
              : new RolloutEventMessage(EventReason.DRIFT_DETECTED, objects(drift));
      case RolloutEvent.ForeignRun(var release, var revision, var status, var atMost) ->
          new RolloutEventMessage(
              EventReason.RELEASE_LOCKED,
              "%s: revision %d is %s and not of this operator; waiting for its end, at most %d s"
                  .formatted(release, revision, status, atMost.toSeconds()));
      case RolloutEvent.Unlocked(var release, var from, var to) ->
          new RolloutEventMessage(
              EventReason.RELEASE_UNLOCKED, "%s: %s to %s".formatted(release, from, to));
      case RolloutEvent.RolledBack(var release, var from, var to) ->
          new RolloutEventMessage(
              EventReason.HELM_ROLLED_BACK, "%s: revision %d to %d".formatted(release, from, to));
      case RolloutEvent.Uninstalled(var release) ->
          new RolloutEventMessage(EventReason.HELM_UNINSTALLED, release.value());
      case RolloutEvent.UninstallFailed(var release, var error) ->
          new RolloutEventMessage(
              EventReason.HELM_UNINSTALL_FAILED, "%s: %s".formatted(release, error));
      case RolloutEvent.WorkspaceDeleteRequested(var namespace) ->
          new RolloutEventMessage(EventReason.WORKSPACE_DELETE_REQUESTED, namespace);
      case RolloutEvent.WorkspaceKept(var namespace, var releases) ->
          new RolloutEventMessage(
              EventReason.WORKSPACE_KEPT,
              "namespace %s stays, it holds other releases: %s"
                  .formatted(namespace, MessageText.list(releases)));
      case RolloutEvent.WorkspaceStuck(var namespace) ->
          new RolloutEventMessage(
              EventReason.WORKSPACE_STUCK,
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

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutListener;
import io.krypton.operator.release.RolloutListener.RolloutEvent;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.UncheckedObject;
import io.krypton.operator.release.decide.ReleaseName;
import io.krypton.operator.release.reconcile.RolloutConditions;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** The events of the events of deployments, which differ from those of Tenants in places; pure. */
final class DeploymentEvents {
  private DeploymentEvents() {}

  static RolloutEventMessage of(RolloutEvent rolloutEvent, String region, String namespace) {
    return switch (rolloutEvent) {
      case RolloutEvent.WorkspaceCreated(var created) ->
          new RolloutEventMessage(
              EventReason.EDGE_NAMESPACE_CREATED,
              "Namespace %s created on %s".formatted(created, region));
      case RolloutEvent.WorkspaceReused(var reused) ->
          new RolloutEventMessage(
              EventReason.EDGE_NAMESPACE_EXISTS,
              "Namespace %s exists on %s and is used, not owned".formatted(reused, region));
      case RolloutEvent.Installed(var release) -> deployed(release.value(), namespace);
      case RolloutEvent.Upgraded(var release) -> deployed(release.value(), namespace);
      case RolloutEvent.Uninstalled(var release) ->
          new RolloutEventMessage(EventReason.HELM_UNINSTALLED, "Uninstalled release " + release);
      case RolloutEvent.WorkspaceDeleteRequested(var requested) ->
          new RolloutEventMessage(
              EventReason.EDGE_NAMESPACE_DELETE_REQUESTED,
              "Requested deletion for namespace " + requested);
      case RolloutEvent other -> RolloutEventMessage.of(other);
    };
  }

  private static RolloutEventMessage deployed(String release, String namespace) {
    return new RolloutEventMessage(
        EventReason.HELM_DEPLOYED, "Release %s deployed to %s".formatted(release, namespace));
  }

  /** The reason of condition Ready for a failed rollout. */
  static String reasonOf(FailureReason failureReason) {
    return switch (failureReason) {
      case NAMESPACE_CONFLICT -> RolloutReasons.NAMESPACE_CONFLICT;
      case RESERVED_NAMESPACE -> RolloutReasons.RESERVED_NAMESPACE;
      case VALUES_NOT_FOUND -> RolloutReasons.VALUES_NOT_FOUND;
      case VALUES_INVALID -> RolloutReasons.VALUES_INVALID;
      case WORKLOADS_NOT_READY -> RolloutReasons.WORKLOADS_NOT_READY;
      case UNINSTALL_FAILED -> DeploymentReasons.HELM_UNINSTALL_FAILED;
      case INSTALL_FAILED,
          UPGRADE_FAILED,
          HELM_CONFIG_INIT_FAILED,
          WORKSPACE_CREATE_FAILED,
          CHART_DIGEST_MISMATCH,
          CHART_NOT_LOADED,
          VERSION_NOT_FOUND,
          VERSION_INVALID ->
          DeploymentReasons.HELM_FAILED;
    };
  }

  /** The events for what a new status changes. */
  static List<RolloutEventMessage> ofChange(
      List<Condition> before, List<Condition> after, String region) {
    var events = new ArrayList<RolloutEventMessage>();
    var known = ConditionList.find(before, RolloutConditionTypes.READY);
    ConditionList.find(after, RolloutConditionTypes.READY)
        .flatMap(ready -> ofReady(known, ready, region))
        .ifPresent(events::add);
    ConditionList.find(after, RolloutConditionTypes.STALLED)
        .filter(stalled -> stalled.reason().equals(RolloutReasons.WORKLOADS_NOT_READY))
        .filter(stalled -> !ConditionList.isTrue(before, RolloutConditionTypes.STALLED))
        .map(stalled -> new RolloutEventMessage(EventReason.WORKLOADS_NOT_READY, stalled.message()))
        .ifPresent(events::add);
    UncheckedObject.eventOnChange(before, after, RolloutConditionTypes.DRIFT_CHECKED)
        .ifPresent(events::add);
    RolloutConditions.refusal(before, after).ifPresent(events::add);
    RolloutConditions.suspendChange(before, after).ifPresent(events::add);
    return events;
  }

  private static Optional<RolloutEventMessage> ofReady(
      Optional<Condition> before, Condition ready, String region) {
    if (before.filter(known -> isUnchanged(known, ready)).isPresent()) {
      return Optional.empty();
    }
    return switch (ready.reason()) {
      case RolloutReasons.DEPLOYED ->
          Optional.of(
              new RolloutEventMessage(EventReason.READY, "Deployment ready in region " + region));
      case RolloutReasons.NOT_READY ->
          Optional.of(new RolloutEventMessage(EventReason.NOT_READY, ready.message()));
      case DeploymentReasons.HELM_FAILED ->
          Optional.of(new RolloutEventMessage(EventReason.HELM_DEPLOY_FAILED, ready.message()));
      // The listener emits these when they happen.
      case RolloutReasons.REPAIR_TRIGGERED,
          RolloutReasons.DELETING,
          RolloutReasons.PROGRESSING,
          DeploymentReasons.HELM_UNINSTALL_FAILED ->
          Optional.empty();
      default ->
          EventReason.of(ready.reason())
              .filter(reason -> !RolloutConditions.isRefusal(reason)) // Told by Stalled.
              .map(reason -> new RolloutEventMessage(reason, ready.message()));
    };
  }

  /** Workloads get ready one by one: a shorter list is no new event. */
  private static boolean isUnchanged(Condition known, Condition ready) {
    return known.reason().equals(ready.reason())
        && (known.message().equals(ready.message())
            || ready.reason().equals(RolloutReasons.NOT_READY));
  }

  /** Turns the steps of a rollout into events and progress of one deployment. */
  static final class DeploymentRolloutListener implements RolloutListener {
    private final DeploymentStatusWriter writer;

    DeploymentRolloutListener(DeploymentStatusWriter writer) {
      this.writer = writer;
    }

    @Override
    public void onStepStarted(Activity activity, ReleaseName release, boolean retry) {
      writer.progress().stepStarted(new DeploymentState.Working(activity));
    }

    @Override
    public void onStepEnded() {
      writer.progress().stepEnded();
    }

    @Override
    public void onInspected(List<UncheckedObject> unchecked) {
      writer.owner().setUnchecked(unchecked);
    }

    @Override
    public void onEvent(RolloutEvent rolloutEvent) {
      if (rolloutEvent instanceof RolloutEvent.DriftFound drift && drift.repaired()) {
        writer.write(new DeploymentState.Repairing(RolloutEventMessage.repairMessage(drift)));
      }
      writer.owner().emit(DeploymentEvents.of(rolloutEvent, writer.region(), writer.workspace()));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.reconcile.RolloutConditions;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and phase of a deployment, from those it had and what is known now; pure.
 *
 * <p>A condition that a state has nothing to say about stays as it was.
 */
final class DeploymentConditionBuilder {
  private final String region;
  private final RolloutConditions conditions;
  private RolloutPhase phase;

  /** What the status says next; times and generations of the conditions are still missing. */
  record Result(List<Condition> conditions, RolloutPhase phase) {}

  private DeploymentConditionBuilder(String region, Result before, Rules rules) {
    this.region = region;
    this.conditions = new RolloutConditions(before.conditions(), rules);
    this.phase = before.phase();
  }

  static Result of(
      String region, KryptonDeploymentStatus before, DeploymentState state, Rules rules) {
    return of(region, before, List.of(state), rules);
  }

  /** After several states, each built upon the one before it. */
  static Result of(
      String region, KryptonDeploymentStatus before, List<DeploymentState> states, Rules rules) {
    var result =
        new Result(
            before.conditions(), Objects.requireNonNullElse(before.phase(), RolloutPhase.PENDING));
    for (var state : states) {
      var builder = new DeploymentConditionBuilder(region, result, rules);
      builder.apply(state);
      result = new Result(builder.conditions.toList(), builder.phase);
    }
    return result;
  }

  private void apply(DeploymentState state) {
    switch (state) {
      case DeploymentState.Routed() -> routed();
      case DeploymentState.Connecting() -> connecting();
      case DeploymentState.Unavailable(var why) -> unavailable(why);
      case DeploymentState.Rejected(var reason, var message) -> refused(reason, message);
      case DeploymentState.Working(var activity) -> working(activity);
      case DeploymentState.Repairing(var message) -> repairing(message);
      case DeploymentState.Settled(var rolloutResult, var failures) ->
          settled(rolloutResult, failures);
      case DeploymentState.Suspended() -> conditions.suspended();
      case DeploymentState.Deleting(var blockedBy) -> deleting(blockedBy);
      case DeploymentState.DeletionBlocked(var reason, var message) ->
          failing(reason, message, RolloutPhase.ERROR);
    }
  }

  /** A status without conditions would pass for one of an object that is done. */
  private void routed() {
    if (!conditions.has(RolloutConditionTypes.READY)) {
      conditions.progressing("");
    }
  }

  /** What was said before may well hold: a restarted operator engages all clusters anew. */
  private void connecting() {
    if (!conditions.has(RolloutConditionTypes.READY)) {
      conditions.progressing("Connecting to region " + region);
    }
  }

  private void unavailable(String why) {
    failing(
        DeploymentReasons.EDGE_UNAVAILABLE,
        "Edge cluster %s not available: %s".formatted(region, why),
        RolloutPhase.ERROR);
  }

  private void refused(String reason, String message) {
    conditions.ready(FALSE, reason, message);
    conditions.stalled(reason, message);
    phase = RolloutPhase.ERROR;
  }

  private void working(Activity activity) {
    if (isRetry() || isRepair(activity)) {
      return; // Whatever was said holds until this try has ended.
    }
    conditions.progressing("");
    if (activity == Activity.INSTALLING || phase == RolloutPhase.ERROR) {
      phase = RolloutPhase.PENDING; // A running upgrade takes nothing from what stands.
    }
  }

  private boolean isRetry() {
    return !conditions.rules().resetFailures() && phase == RolloutPhase.ERROR;
  }

  private boolean isRepair(Activity activity) {
    return activity == Activity.UPGRADING && hasReadyReason(RolloutReasons.REPAIR_TRIGGERED);
  }

  private boolean hasReadyReason(String reason) {
    return ConditionList.find(conditions.before(), RolloutConditionTypes.READY)
        .filter(ready -> ready.reason().equals(reason))
        .isPresent();
  }

  private void repairing(String message) {
    conditions.progressing(RolloutReasons.REPAIR_TRIGGERED, message);
    phase = RolloutPhase.PENDING;
  }

  private void settled(RolloutResult rolloutResult, int failures) {
    switch (rolloutResult) {
      case RolloutResult.Deployed deployed -> deployed();
      case RolloutResult.WorkloadsPending pending -> {
        conditions.workloadsPending(RolloutConditions.messageOf(pending));
        phase = RolloutPhase.PENDING;
      }
      case RolloutResult.Waiting(var reason, var requeueAfter) -> conditions.waiting(reason);
      case RolloutResult.Failed(var failureReason, var message) ->
          failed(failureReason, message, failures);
      case RolloutResult.InspectionFailed(var release, var message) ->
          failing(
              DeploymentReasons.HEALTH_CHECK_FAILED,
              "Health check failed: " + message,
              RolloutPhase.ERROR);
      case RolloutResult.Held held -> {
        if (held.deployed() != null) {
          deployed();
        }
        conditions.held(held.reason(), held.message());
      }
      case RolloutResult.Refused(var reason, var message) -> conditions.refused(reason, message);
      case RolloutResult.CachesNotSynced cachesNotSynced -> {} // What was said holds for now.
      case RolloutResult.WaitingForHelmSlot waiting -> {}
      case RolloutResult.ClusterUnreachable clusterUnreachable -> {}
    }
  }

  private void deployed() {
    conditions.ready(TRUE, RolloutReasons.DEPLOYED, "Successfully deployed to region " + region);
    conditions.idle();
    phase = RolloutPhase.READY;
  }

  private void failed(FailureReason failureReason, String message, int failures) {
    if (failureReason == FailureReason.WORKLOADS_NOT_READY) {
      conditions.ready(FALSE, RolloutReasons.NOT_READY, message);
      conditions.stalled(RolloutReasons.WORKLOADS_NOT_READY, message);
      phase = RolloutPhase.PENDING;
      return;
    }
    var skippable = conditions.isSkippable(failureReason);
    if (skippable
        && phase == RolloutPhase.READY
        && ConditionList.isTrue(conditions.before(), RolloutConditionTypes.READY)) {
      conditions.reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, message);
      conditions.notStalled();
      return;
    }
    var reason = DeploymentEvents.reasonOf(failureReason);
    var text =
        reason.equals(DeploymentReasons.HELM_FAILED)
            ? "Helm deployment failed: " + message
            : message;
    failing(reason, text, skippable ? RolloutPhase.PENDING : RolloutPhase.ERROR);
    if (conditions.isStalled(failureReason, failures, !conditions.rules().resetFailures())) {
      conditions.stalled(reason, text);
    }
  }

  private void deleting(@Nullable String blockedBy) {
    conditions.progressing(
        RolloutReasons.DELETING,
        blockedBy == null ? "Release is being uninstalled from region " + region : blockedBy);
    phase = RolloutPhase.PENDING;
  }

  private void failing(String reason, String message, RolloutPhase next) {
    conditions.ready(FALSE, reason, message);
    conditions.reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, "");
    conditions.notStalled();
    phase = next;
  }
}

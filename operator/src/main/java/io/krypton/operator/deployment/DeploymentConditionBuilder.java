package io.krypton.operator.deployment;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus;
import io.krypton.api.kryptondeployment.KryptonDeploymentStatus.DeploymentReasons;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.operator.release.MessageText;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.FailureReason;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Conditions and phase of a deployment, from those it had and what is known now; pure.
 *
 * <p>A condition that a state has nothing to say about stays as it was.
 */
final class DeploymentConditionBuilder {
  /** So many failures in a row are no passing trouble. */
  static final int STALLED_AFTER = 5;

  private final String region;
  private final List<Condition> before;
  private final Rules rules;
  private final Map<String, Condition> conditions = new LinkedHashMap<>();
  private RolloutPhase rolloutPhase;

  /**
   * @param allowChartSkip a chart that cannot be had takes nothing from a release that stands
   * @param resetFailures the user changed or asked for something, so past failures are forgotten
   */
  record Rules(boolean allowChartSkip, boolean resetFailures) {}

  /** What the status says next; times and generations of the conditions are still missing. */
  record Result(List<Condition> conditions, RolloutPhase phase) {}

  private DeploymentConditionBuilder(String region, KryptonDeploymentStatus before, Rules rules) {
    this.region = region;
    this.before = before.conditions();
    this.rules = rules;
    this.rolloutPhase = Objects.requireNonNullElse(before.phase(), RolloutPhase.PENDING);
    before.conditions().forEach(condition -> conditions.put(condition.type(), condition));
  }

  static Result of(
      String region, KryptonDeploymentStatus before, DeploymentState state, Rules rules) {
    var report = new DeploymentConditionBuilder(region, before, rules);
    report.apply(state);
    return new Result(List.copyOf(report.conditions.values()), report.rolloutPhase);
  }

  private void apply(DeploymentState state) {
    switch (state) {
      case DeploymentState.Routed() -> {}
      case DeploymentState.Connecting() -> connecting();
      case DeploymentState.Unavailable(var why) -> unavailable(why);
      case DeploymentState.Rejected(var reason, var message) -> refused(reason, message);
      case DeploymentState.Working(var activity) -> working(activity);
      case DeploymentState.Repairing(var message) -> repairing(message);
      case DeploymentState.Settled(var rolloutResult, var failures) ->
          settled(rolloutResult, failures);
      case DeploymentState.Suspended() -> suspended();
      case DeploymentState.Deleting(var heldBy) -> deleting(heldBy);
      case DeploymentState.DeletionBlocked(var reason, var message) ->
          failing(reason, message, RolloutPhase.ERROR);
    }
  }

  /** What was said before may well hold: a restarted operator engages all clusters anew. */
  private void connecting() {
    if (conditions.containsKey(RolloutConditionTypes.READY)) {
      return;
    }
    ready(UNKNOWN, RolloutReasons.PROGRESSING, "Connecting to region " + region);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  private void unavailable(String why) {
    failing(
        DeploymentReasons.EDGE_UNAVAILABLE,
        "Edge cluster %s not available: %s".formatted(region, why),
        RolloutPhase.ERROR);
  }

  private void refused(String reason, String message) {
    ready(FALSE, reason, message);
    stalled(reason, message);
    rolloutPhase = RolloutPhase.ERROR;
  }

  private void working(Activity activity) {
    if (isRetry() || isRepair(activity)) {
      return; // Whatever was said holds until this try has ended.
    }
    ready(UNKNOWN, RolloutReasons.PROGRESSING, "");
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
    if (activity == Activity.INSTALLING || rolloutPhase == RolloutPhase.ERROR) {
      rolloutPhase = RolloutPhase.PENDING; // A running upgrade takes nothing from what stands.
    }
  }

  private boolean isRetry() {
    return !rules.resetFailures() && rolloutPhase == RolloutPhase.ERROR;
  }

  private boolean isRepair(Activity activity) {
    return activity == Activity.UPGRADING && hasReadyReason(RolloutReasons.REPAIR_TRIGGERED);
  }

  private boolean hasReadyReason(String reason) {
    return ConditionList.find(before, RolloutConditionTypes.READY)
        .filter(ready -> ready.reason().equals(reason))
        .isPresent();
  }

  private void repairing(String message) {
    ready(FALSE, RolloutReasons.REPAIR_TRIGGERED, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
    rolloutPhase = RolloutPhase.PENDING;
  }

  private void settled(RolloutResult rolloutResult, int failures) {
    switch (rolloutResult) {
      case RolloutResult.Deployed deployed -> deployed();
      case RolloutResult.WorkloadsPending pending -> workloadsPending(pending);
      case RolloutResult.Waiting blocked -> blocked(blocked.reason());
      case RolloutResult.Failed(var failureReason, var message) ->
          failed(failureReason, message, failures);
      case RolloutResult.InspectionFailed(var release, var message) ->
          failing(
              DeploymentReasons.HEALTH_CHECK_FAILED,
              "Health check failed: " + message,
              RolloutPhase.ERROR);
      case RolloutResult.CachesNotSynced cachesNotSynced -> {} // What was said holds for now.
      case RolloutResult.WaitingForHelmSlot waiting -> {}
      case RolloutResult.ClusterUnreachable clusterUnreachable -> {}
    }
  }

  private void deployed() {
    ready(TRUE, RolloutReasons.DEPLOYED, "Successfully deployed to region " + region);
    reconciling(FALSE, RolloutReasons.IDLE, "");
    notStalled();
    rolloutPhase = RolloutPhase.READY;
  }

  private void workloadsPending(RolloutResult.WorkloadsPending pending) {
    var message =
        pending.workloads().isEmpty()
            ? "Workloads were not looked at yet"
            : "Workloads not yet ready: " + MessageText.list(pending.workloads());
    ready(FALSE, RolloutReasons.NOT_READY, message);
    reconciling(TRUE, RolloutReasons.WAITING_FOR_WORKLOADS, "");
    notStalled();
    rolloutPhase = RolloutPhase.PENDING;
  }

  private void blocked(RolloutResult.WaitReason waitReason) {
    if (!rules.resetFailures() && ConditionList.isTrue(before, RolloutConditionTypes.STALLED)) {
      return; // Nothing was tried, so nothing that was said is over.
    }
    if (!conditions.containsKey(RolloutConditionTypes.READY)) {
      ready(UNKNOWN, RolloutReasons.PROGRESSING, "");
    }
    var reason =
        switch (waitReason) {
          case CHART_LOADING -> RolloutReasons.PROGRESSING;
          case RELEASE_LOCKED -> RolloutReasons.RELEASE_LOCKED;
          case WORKSPACE_TERMINATING -> RolloutReasons.WORKSPACE_TERMINATING;
          case TOO_MANY_REPAIRS -> RolloutReasons.PROGRESSING_WITH_RETRY;
        };
    reconciling(TRUE, reason, "");
    notStalled();
  }

  private void failed(FailureReason failureReason, String message, int failures) {
    if (failureReason == FailureReason.WORKLOADS_NOT_READY) {
      ready(FALSE, RolloutReasons.NOT_READY, message);
      stalled(RolloutReasons.WORKLOADS_NOT_READY, message);
      rolloutPhase = RolloutPhase.PENDING;
      return;
    }
    var forgiven = rules.allowChartSkip() && failureReason.isSkippable();
    if (forgiven
        && rolloutPhase == RolloutPhase.READY
        && ConditionList.isTrue(before, RolloutConditionTypes.READY)) {
      reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, message);
      notStalled();
      return;
    }
    var reason = DeploymentEvents.reasonOf(failureReason);
    var told =
        reason.equals(DeploymentReasons.HELM_FAILED)
            ? "Helm deployment failed: " + message
            : message;
    failing(reason, told, forgiven ? RolloutPhase.PENDING : RolloutPhase.ERROR);
    if (isStalled(failureReason, failures)) {
      stalled(reason, told);
    }
  }

  /** Once stalled, a restarted operator need not fail five times again to know it. */
  private boolean isStalled(FailureReason failureReason, int failures) {
    return failureReason.waitsForChange()
        || failures + 1 >= STALLED_AFTER
        || (!rules.resetFailures() && ConditionList.isTrue(before, RolloutConditionTypes.STALLED));
  }

  private void suspended() {
    reconciling(FALSE, RolloutReasons.SUSPENDED, "");
    if (!conditions.containsKey(RolloutConditionTypes.STALLED)) {
      notStalled();
    }
  }

  private void deleting(@Nullable String heldBy) {
    ready(
        FALSE,
        RolloutReasons.DELETING,
        heldBy == null ? "Release is being uninstalled from region " + region : heldBy);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
    rolloutPhase = RolloutPhase.PENDING;
  }

  private void failing(String reason, String message, RolloutPhase next) {
    ready(FALSE, reason, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, "");
    notStalled();
    rolloutPhase = next;
  }

  private void ready(ConditionStatus status, String reason, String message) {
    set(RolloutConditionTypes.READY, status, reason, message);
  }

  private void reconciling(ConditionStatus status, String reason, String message) {
    set(RolloutConditionTypes.RECONCILING, status, reason, message);
  }

  private void stalled(String reason, String message) {
    set(RolloutConditionTypes.STALLED, TRUE, reason, message);
    reconciling(FALSE, RolloutReasons.STALLED, "");
  }

  private void notStalled() {
    set(RolloutConditionTypes.STALLED, FALSE, RolloutReasons.NOT_STALLED, "");
  }

  private void set(String type, ConditionStatus status, String reason, String message) {
    conditions.put(type, Condition.of(type, status, reason, message));
  }
}

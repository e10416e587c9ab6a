package io.krypton.operator.deployment;

import static io.krypton.api.condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.condition.Conditions;
import io.krypton.api.deployment.DeploymentReasons;
import io.krypton.api.deployment.KryptonDeploymentStatus;
import io.krypton.api.rollout.Phase;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.operator.manifest.Names;
import io.krypton.operator.rollout.Journal.Activity;
import io.krypton.operator.rollout.Problem;
import io.krypton.operator.rollout.Situation;
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
final class DeploymentReport {
  /** So many failures in a row are no passing trouble. */
  static final int STALLED_AFTER = 5;

  private final String region;
  private final List<Condition> before;
  private final Rules rules;
  private final Map<String, Condition> conditions = new LinkedHashMap<>();
  private Phase phase;

  /**
   * @param allowChartSkip a chart that cannot be had takes nothing from a release that stands
   * @param freshStart the user changed or asked for something, so past failures are forgotten
   */
  record Rules(boolean allowChartSkip, boolean freshStart) {}

  /** What the status says next; times and generations of the conditions are still missing. */
  record Told(List<Condition> conditions, Phase phase) {}

  private DeploymentReport(String region, KryptonDeploymentStatus before, Rules rules) {
    this.region = region;
    this.before = before.conditions();
    this.rules = rules;
    this.phase = Objects.requireNonNullElse(before.phase(), Phase.PENDING);
    before.conditions().forEach(condition -> conditions.put(condition.type(), condition));
  }

  static Told of(
      String region, KryptonDeploymentStatus before, DeploymentState state, Rules rules) {
    var report = new DeploymentReport(region, before, rules);
    report.tell(state);
    return new Told(List.copyOf(report.conditions.values()), report.phase);
  }

  private void tell(DeploymentState state) {
    switch (state) {
      case DeploymentState.Routed() -> {}
      case DeploymentState.Connecting() -> connecting();
      case DeploymentState.Unavailable(var why) -> unavailable(why);
      case DeploymentState.Refused(var reason, var message) -> refused(reason, message);
      case DeploymentState.Working(var activity) -> working(activity);
      case DeploymentState.Repairing(var message) -> repairing(message);
      case DeploymentState.Settled(var situation, var failures) -> settled(situation, failures);
      case DeploymentState.Suspended() -> suspended();
      case DeploymentState.Deleting(var heldBy) -> deleting(heldBy);
      case DeploymentState.DeletionBlocked(var reason, var message) ->
          failing(reason, message, Phase.ERROR);
    }
  }

  /** What was said before may well hold: a restarted operator engages all clusters anew. */
  private void connecting() {
    if (conditions.containsKey(RolloutConditions.READY)) {
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
        Phase.ERROR);
  }

  private void refused(String reason, String message) {
    ready(FALSE, reason, message);
    stalled(reason, message);
    phase = Phase.ERROR;
  }

  private void working(Activity activity) {
    if (isRetry() || isRepair(activity)) {
      return; // Whatever was said holds until this try has ended.
    }
    ready(UNKNOWN, RolloutReasons.PROGRESSING, "");
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
    if (activity == Activity.INSTALLING || phase == Phase.ERROR) {
      phase = Phase.PENDING; // A running upgrade takes nothing from what stands.
    }
  }

  private boolean isRetry() {
    return !rules.freshStart() && phase == Phase.ERROR;
  }

  private boolean isRepair(Activity activity) {
    return activity == Activity.UPGRADING && saysReady(RolloutReasons.REPAIR_TRIGGERED);
  }

  private boolean saysReady(String reason) {
    return Conditions.find(before, RolloutConditions.READY)
        .filter(ready -> ready.reason().equals(reason))
        .isPresent();
  }

  private void repairing(String message) {
    ready(FALSE, RolloutReasons.REPAIR_TRIGGERED, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
    phase = Phase.PENDING;
  }

  private void settled(Situation situation, int failures) {
    switch (situation) {
      case Situation.Deployed deployed -> deployed();
      case Situation.WorkloadsPending pending -> workloadsPending(pending);
      case Situation.Blocked blocked -> blocked(blocked.obstacle());
      case Situation.Failed(var problem, var message) -> failed(problem, message, failures);
      case Situation.Unchecked(var release, var message) ->
          failing(
              DeploymentReasons.HEALTH_CHECK_FAILED,
              "Health check failed: " + message,
              Phase.ERROR);
      case Situation.StillLooking stillLooking -> {} // What was said holds for now.
      case Situation.WaitingForTurn waiting -> {}
      case Situation.OutOfReach outOfReach -> {}
    }
  }

  private void deployed() {
    ready(TRUE, RolloutReasons.DEPLOYED, "Successfully deployed to region " + region);
    reconciling(FALSE, RolloutReasons.IDLE, "");
    notStalled();
    phase = Phase.READY;
  }

  private void workloadsPending(Situation.WorkloadsPending pending) {
    var message =
        pending.workloads().isEmpty()
            ? "Workloads were not looked at yet"
            : "Workloads not yet ready: " + Names.list(pending.workloads());
    ready(FALSE, RolloutReasons.NOT_READY, message);
    reconciling(TRUE, RolloutReasons.WAITING_FOR_WORKLOADS, "");
    notStalled();
    phase = Phase.PENDING;
  }

  private void blocked(Situation.Obstacle obstacle) {
    if (!rules.freshStart() && Conditions.isTrue(before, RolloutConditions.STALLED)) {
      return; // Nothing was tried, so nothing that was said is over.
    }
    if (!conditions.containsKey(RolloutConditions.READY)) {
      ready(UNKNOWN, RolloutReasons.PROGRESSING, "");
    }
    var reason =
        switch (obstacle) {
          case CHART_LOADING -> RolloutReasons.PROGRESSING;
          case RELEASE_LOCKED -> RolloutReasons.RELEASE_LOCKED;
          case WORKSPACE_TERMINATING -> RolloutReasons.WORKSPACE_TERMINATING;
          case TOO_MANY_REPAIRS -> RolloutReasons.PROGRESSING_WITH_RETRY;
        };
    reconciling(TRUE, reason, "");
    notStalled();
  }

  private void failed(Problem problem, String message, int failures) {
    if (problem == Problem.WORKLOADS_NOT_READY) {
      ready(FALSE, RolloutReasons.NOT_READY, message);
      stalled(RolloutReasons.WORKLOADS_NOT_READY, message);
      phase = Phase.PENDING;
      return;
    }
    var forgiven = rules.allowChartSkip() && problem.isForgivable();
    if (forgiven && phase == Phase.READY && Conditions.isTrue(before, RolloutConditions.READY)) {
      reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, message);
      notStalled();
      return;
    }
    var reason = DeploymentEvents.reasonOf(problem);
    var told =
        reason.equals(DeploymentReasons.HELM_FAILED)
            ? "Helm deployment failed: " + message
            : message;
    failing(reason, told, forgiven ? Phase.PENDING : Phase.ERROR);
    if (isStalled(problem, failures)) {
      stalled(reason, told);
    }
  }

  /** Once stalled, a restarted operator need not fail five times again to know it. */
  private boolean isStalled(Problem problem, int failures) {
    return problem.waitsForNews()
        || failures + 1 >= STALLED_AFTER
        || (!rules.freshStart() && Conditions.isTrue(before, RolloutConditions.STALLED));
  }

  private void suspended() {
    reconciling(FALSE, RolloutReasons.SUSPENDED, "");
    if (!conditions.containsKey(RolloutConditions.STALLED)) {
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
    phase = Phase.PENDING;
  }

  private void failing(String reason, String message, Phase next) {
    ready(FALSE, reason, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, "");
    notStalled();
    phase = next;
  }

  private void ready(ConditionStatus status, String reason, String message) {
    set(RolloutConditions.READY, status, reason, message);
  }

  private void reconciling(ConditionStatus status, String reason, String message) {
    set(RolloutConditions.RECONCILING, status, reason, message);
  }

  private void stalled(String reason, String message) {
    set(RolloutConditions.STALLED, TRUE, reason, message);
    reconciling(FALSE, RolloutReasons.STALLED, "");
  }

  private void notStalled() {
    set(RolloutConditions.STALLED, FALSE, RolloutReasons.NOT_STALLED, "");
  }

  private void set(String type, ConditionStatus status, String reason, String message) {
    conditions.put(type, Condition.of(type, status, reason, message));
  }
}

package io.krypton.operator.tenant;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.operator.release.MessageText;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.CachesNotSynced;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.ClusterUnreachable;
import io.krypton.operator.release.RolloutResult.Deployed;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.InspectionFailed;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.RolloutResult.WaitingForHelmSlot;
import io.krypton.operator.release.RolloutResult.WorkloadsPending;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The conditions of a Tenant, from those it had and what is known now; pure.
 *
 * <p>A condition that a state has nothing to say about stays as it was.
 */
final class TenantConditionBuilder {
  /** So many failures in a row are no passing trouble. */
  static final int STALLED_AFTER = 5;

  private final String cluster;
  private final Map<String, Condition> conditions = new LinkedHashMap<>();
  private final List<Condition> before;
  private final Rules rules;

  /**
   * @param allowChartSkip a chart that cannot be had takes nothing from a release that stands
   * @param resetFailures the user changed or asked for something, so past failures are forgotten
   */
  record Rules(boolean allowChartSkip, boolean resetFailures) {}

  private TenantConditionBuilder(String cluster, List<Condition> before, Rules rules) {
    this.cluster = cluster;
    this.before = before;
    this.rules = rules;
    before.forEach(condition -> conditions.put(condition.type(), condition));
  }

  /** The next conditions; their times and generations are still those of before or missing. */
  static List<Condition> conditions(
      String cluster, List<Condition> before, TenantState state, Rules rules) {
    var report = new TenantConditionBuilder(cluster, before, rules);
    report.apply(state);
    report.summarise(state);
    return List.copyOf(report.conditions.values());
  }

  private void apply(TenantState state) {
    switch (state) {
      case TenantState.Working(var activity) -> working(activity);
      case TenantState.Repairing(var message) -> repairing(message);
      case TenantState.Settled(var rolloutResult, var failures) -> settled(rolloutResult, failures);
      case TenantState.Suspended() -> suspended();
      case TenantState.Skipped skipped -> skipped(skipped);
      case TenantState.Deleting(var message) -> deleting(message);
    }
  }

  private void working(Activity activity) {
    set(progress(), TRUE, progressReason(activity), "");
    if (isRetry()) {
      return; // Whatever was said about the failure holds until this try has ended.
    }
    set(RolloutConditionTypes.READY, UNKNOWN, RolloutReasons.PROGRESSING, "");
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  private boolean isRetry() {
    return !rules.resetFailures() && ConditionList.isTrue(before, error());
  }

  private void repairing(String message) {
    set(ready(), FALSE, RolloutReasons.REPAIR_TRIGGERED, message);
    set(progress(), TRUE, TenantReasons.UPGRADING, "");
    set(RolloutConditionTypes.READY, FALSE, RolloutReasons.REPAIR_TRIGGERED, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  private void settled(RolloutResult rolloutResult, int failures) {
    switch (rolloutResult) {
      case Deployed deployed -> deployed(deployed.change());
      case WorkloadsPending pending -> workloadsPending(pending);
      case Waiting blocked -> blocked(blocked);
      case Failed(var failureReason, var message) -> failed(failureReason, message, failures);
      case InspectionFailed
              inspectionFailed -> {} // What was said holds until it can be read again.
      case CachesNotSynced cachesNotSynced -> {}
      case WaitingForHelmSlot waiting -> {}
      case ClusterUnreachable clusterUnreachable -> {}
    }
  }

  private void deployed(Change change) {
    resolveError();
    endProgress(change);
    switch (change) {
      case INSTALLED -> set(ready(), TRUE, TenantReasons.INSTALLED, "release installed");
      case UPGRADED -> set(ready(), TRUE, TenantReasons.UPGRADED, "release upgraded");
      case CONFIRMED -> set(ready(), TRUE, TenantReasons.NO_CHANGE, "release up-to-date");
      case NONE -> {
        if (!ConditionList.isTrue(before, ready())) {
          readyAfterEarlierRun();
        }
      }
    }
    set(RolloutConditionTypes.READY, TRUE, RolloutReasons.DEPLOYED, "release deployed");
    reconciling(FALSE, RolloutReasons.IDLE, "");
    notStalled();
  }

  /** Its workloads got ready in a later run than the one that installed or upgraded it. */
  private void readyAfterEarlierRun() {
    var last = ConditionList.find(before, progress()).map(Condition::reason).orElse("");
    switch (last) {
      case TenantReasons.INSTALL_COMPLETE ->
          set(ready(), TRUE, TenantReasons.INSTALLED, "release installed");
      case TenantReasons.UPGRADE_COMPLETE ->
          set(ready(), TRUE, TenantReasons.UPGRADED, "release upgraded");
      default -> set(ready(), TRUE, TenantReasons.NO_CHANGE, "release up-to-date");
    }
  }

  private void workloadsPending(WorkloadsPending pending) {
    var message =
        pending.workloads().isEmpty()
            ? "Workloads were not looked at yet"
            : "Workloads not yet ready: " + MessageText.list(pending.workloads());
    resolveError();
    endProgress(pending.change());
    set(ready(), FALSE, RolloutReasons.NOT_READY, message);
    set(RolloutConditionTypes.READY, FALSE, RolloutReasons.NOT_READY, message);
    reconciling(TRUE, RolloutReasons.WAITING_FOR_WORKLOADS, "");
    notStalled();
  }

  private void blocked(Waiting blocked) {
    if (!rules.resetFailures() && ConditionList.isTrue(before, RolloutConditionTypes.STALLED)) {
      return; // Nothing was tried, so nothing that was said is over.
    }
    var reason =
        switch (blocked.reason()) {
          case CHART_LOADING -> RolloutReasons.PROGRESSING;
          case RELEASE_LOCKED -> RolloutReasons.RELEASE_LOCKED;
          case WORKSPACE_TERMINATING -> RolloutReasons.WORKSPACE_TERMINATING;
          case TOO_MANY_REPAIRS -> RolloutReasons.PROGRESSING_WITH_RETRY;
        };
    if (!conditions.containsKey(RolloutConditionTypes.READY)) {
      set(RolloutConditionTypes.READY, UNKNOWN, RolloutReasons.PROGRESSING, "");
    }
    reconciling(TRUE, reason, "");
    notStalled();
  }

  private void failed(FailureReason failureReason, String message, int failures) {
    var reason = failureReason.value();
    set(error(), TRUE, reason, message);
    if (!(rules.allowChartSkip()
        && failureReason.isSkippable()
        && ConditionList.isTrue(before, ready()))) {
      set(ready(), FALSE, reason, message);
      set(RolloutConditionTypes.READY, FALSE, reason, message);
    }
    if (failureReason == FailureReason.INSTALL_FAILED
        || failureReason == FailureReason.UPGRADE_FAILED) {
      set(progress(), FALSE, reason, message);
    } else {
      endProgressWith(reason);
    }
    if (isStalled(failureReason, failures)) {
      set(RolloutConditionTypes.STALLED, TRUE, reason, message);
      reconciling(FALSE, RolloutReasons.STALLED, "");
    } else {
      reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, message);
      notStalled();
    }
  }

  /** Once stalled, a restarted operator need not fail five times again to know it. */
  private boolean isStalled(FailureReason failureReason, int failures) {
    return failureReason.waitsForChange()
        || failures + 1 >= STALLED_AFTER
        || (isRetry() && ConditionList.isTrue(before, RolloutConditionTypes.STALLED));
  }

  private void suspended() {
    reconciling(FALSE, RolloutReasons.SUSPENDED, "");
    if (!conditions.containsKey(RolloutConditionTypes.STALLED)) {
      notStalled();
    }
  }

  private void skipped(TenantState.Skipped skipped) {
    conditions.remove(ready());
    conditions.remove(error());
    conditions.remove(progress());
    conditions.remove(TenantConditionTypes.clusterDriftChecked(cluster));
    if (!skipped.shared()) {
      set(
          RolloutConditionTypes.READY,
          FALSE,
          TenantReasons.CLUSTER_REF_MISMATCH,
          skipped.message());
      reconciling(FALSE, RolloutReasons.IDLE, "");
      notStalled();
      return;
    }
    if (skipped.leftover()) {
      set(ready(), FALSE, TenantReasons.CLUSTER_REF_MISMATCH, skipped.message());
    }
    if (hasRolloutConditions()) {
      set(RolloutConditionTypes.READY, UNKNOWN, RolloutReasons.PROGRESSING, "");
      reconciling(TRUE, RolloutReasons.PROGRESSING, "");
      notStalled();
    }
  }

  /** Whether the stored conditions tell of a rollout under this name of the server. */
  private boolean hasRolloutConditions() {
    return before.stream()
        .filter(it -> TenantConditionTypes.cluster(it.type()).equals(cluster))
        .anyMatch(it -> !it.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH));
  }

  /** Where the server has other names, they have a say in what is told of the Tenant as a whole. */
  private void summarise(TenantState state) {
    var isAboutThisNameOnly =
        switch (state) {
          case TenantState.Working working -> true;
          case TenantState.Repairing repairing -> true;
          case TenantState.Settled settled -> true;
          case TenantState.Skipped skipped -> skipped.shared();
          case TenantState.Suspended suspended -> false;
          case TenantState.Deleting deleting -> false;
        };
    if (isAboutThisNameOnly) {
      TenantConditionSummary.of(
              List.copyOf(conditions.values()), before, cluster, rules.allowChartSkip())
          .forEach(condition -> conditions.put(condition.type(), condition));
    }
  }

  private void deleting(String message) {
    set(progress(), TRUE, RolloutReasons.DELETING, "tenant cleanup in progress");
    set(RolloutConditionTypes.READY, FALSE, RolloutReasons.DELETING, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  private void resolveError() {
    if (ConditionList.isTrue(before, error())) {
      set(error(), FALSE, TenantReasons.RESOLVED, "");
    }
  }

  private void endProgress(Change change) {
    switch (change) {
      case INSTALLED -> set(progress(), FALSE, TenantReasons.INSTALL_COMPLETE, "");
      case UPGRADED -> set(progress(), FALSE, TenantReasons.UPGRADE_COMPLETE, "");
      case CONFIRMED, NONE -> endProgressWith(TenantReasons.UPGRADE_COMPLETE);
    }
  }

  /** A run that was killed may have left its progress behind. */
  private void endProgressWith(String reason) {
    if (ConditionList.isTrue(before, progress())) {
      set(progress(), FALSE, reason, "");
    }
  }

  private void reconciling(ConditionStatus status, String reason, String message) {
    set(RolloutConditionTypes.RECONCILING, status, reason, message);
  }

  private void notStalled() {
    set(RolloutConditionTypes.STALLED, FALSE, RolloutReasons.NOT_STALLED, "");
  }

  private void set(String type, ConditionStatus status, String reason, String message) {
    conditions.put(type, Condition.of(type, status, reason, message));
  }

  private String ready() {
    return TenantConditionTypes.clusterReady(cluster);
  }

  private String error() {
    return TenantConditionTypes.clusterError(cluster);
  }

  private String progress() {
    return TenantConditionTypes.clusterProgress(cluster);
  }

  private static String progressReason(Activity activity) {
    return switch (activity) {
      case INSTALLING -> TenantReasons.INSTALLING;
      case UPGRADING -> TenantReasons.UPGRADING;
      case UNLOCKING -> TenantReasons.UNLOCKING;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import io.krypton.operator.release.RolloutResult.CachesNotSynced;
import io.krypton.operator.release.RolloutResult.Change;
import io.krypton.operator.release.RolloutResult.ClusterUnreachable;
import io.krypton.operator.release.RolloutResult.Deployed;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.Held;
import io.krypton.operator.release.RolloutResult.InspectionFailed;
import io.krypton.operator.release.RolloutResult.Refused;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.RolloutResult.WaitingForHelmSlot;
import io.krypton.operator.release.RolloutResult.WorkloadsPending;
import io.krypton.operator.release.reconcile.RolloutConditions;
import io.krypton.operator.release.reconcile.RolloutConditions.Rules;
import java.util.List;
import java.util.Optional;

/**
 * The conditions of a Tenant, from those it had and what is known now; pure.
 *
 * <p>A condition that a state has nothing to say about stays as it was.
 */
final class TenantConditionBuilder {
  private final String cluster;
  private final RolloutConditions conditions;

  private TenantConditionBuilder(String cluster, List<Condition> before, Rules rules) {
    this.cluster = cluster;
    this.conditions = new RolloutConditions(before, rules);
  }

  /** The next conditions; their times and generations are still those of before or missing. */
  static List<Condition> conditions(
      String cluster, List<Condition> before, TenantState state, Rules rules) {
    var builder = new TenantConditionBuilder(cluster, before, rules);
    builder.apply(state);
    builder.summarise(state);
    return builder.conditions.toList();
  }

  private void apply(TenantState state) {
    switch (state) {
      case TenantState.Working(var activity) -> working(activity);
      case TenantState.Repairing(var message) -> repairing(message);
      case TenantState.Settled(var rolloutResult, var failures) -> settled(rolloutResult, failures);
      case TenantState.Suspended() -> conditions.suspended();
      case TenantState.Skipped skipped -> skipped(skipped);
      case TenantState.Deleting(var message) -> deleting(message);
    }
  }

  private void working(Activity activity) {
    set(progress(), TRUE, progressReason(activity), "");
    if (isRetry()) {
      return; // Whatever was said about the failure holds until this try has ended.
    }
    conditions.progressing("");
  }

  private boolean isRetry() {
    return !conditions.rules().resetFailures() && wasTrue(error());
  }

  private void repairing(String message) {
    set(ready(), FALSE, RolloutReasons.REPAIR_TRIGGERED, message);
    set(progress(), TRUE, TenantReasons.UPGRADING, "");
    conditions.progressing(RolloutReasons.REPAIR_TRIGGERED, message);
  }

  private void settled(RolloutResult rolloutResult, int failures) {
    switch (rolloutResult) {
      case Deployed deployed -> deployed(deployed.change());
      case WorkloadsPending pending -> workloadsPending(pending);
      case Waiting(var reason, var requeueAfter) -> conditions.waiting(reason);
      case Failed(var failureReason, var message) -> failed(failureReason, message, failures);
      case InspectionFailed
              inspectionFailed -> {} // What was said holds until it can be read again.
      case Held held -> {
        if (held.deployed() != null) {
          deployed(held.deployed().change());
        }
        conditions.held(held.reason(), held.message());
      }
      case Refused(var reason, var message) -> conditions.refused(reason, message);
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
        if (!wasTrue(ready())) {
          readyAfterEarlierRun();
        }
      }
    }
    conditions.ready(TRUE, RolloutReasons.DEPLOYED, "release deployed");
    conditions.idle();
  }

  /** Its workloads got ready in a later run than the one that installed or upgraded it. */
  private void readyAfterEarlierRun() {
    var last =
        ConditionList.find(conditions.before(), progress()).map(Condition::reason).orElse("");
    switch (last) {
      case TenantReasons.INSTALL_COMPLETE ->
          set(ready(), TRUE, TenantReasons.INSTALLED, "release installed");
      case TenantReasons.UPGRADE_COMPLETE ->
          set(ready(), TRUE, TenantReasons.UPGRADED, "release upgraded");
      default -> set(ready(), TRUE, TenantReasons.NO_CHANGE, "release up-to-date");
    }
  }

  private void workloadsPending(WorkloadsPending pending) {
    var message = RolloutConditions.messageOf(pending);
    resolveError();
    endProgress(pending.change());
    set(ready(), FALSE, RolloutReasons.NOT_READY, message);
    conditions.workloadsPending(message);
  }

  private void failed(FailureReason failureReason, String message, int failures) {
    var reason = failureReason.value();
    set(error(), TRUE, reason, message);
    if (!(conditions.isSkippable(failureReason) && wasTrue(ready()))) {
      set(ready(), FALSE, reason, message);
      conditions.ready(FALSE, reason, message);
    }
    if (failureReason == FailureReason.INSTALL_FAILED
        || failureReason == FailureReason.UPGRADE_FAILED) {
      set(progress(), FALSE, reason, message);
    } else {
      endProgressWith(reason);
    }
    if (conditions.isStalled(failureReason, failures, isRetry())) {
      conditions.stalled(reason, message);
    } else {
      conditions.reconciling(TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, message);
      conditions.notStalled();
    }
  }

  private void skipped(TenantState.Skipped skipped) {
    conditions.remove(ready());
    conditions.remove(error());
    conditions.remove(progress());
    conditions.remove(TenantConditionTypes.clusterDriftChecked(cluster));
    if (!skipped.shared()) {
      conditions.ready(FALSE, TenantReasons.CLUSTER_REF_MISMATCH, skipped.message());
      conditions.idle();
      return;
    }
    if (skipped.leftover()) {
      set(ready(), FALSE, TenantReasons.CLUSTER_REF_MISMATCH, skipped.message());
    }
    if (hasRolloutConditions()) {
      conditions.progressing("");
    }
  }

  /** Whether the stored conditions are about a rollout under this name of the server. */
  private boolean hasRolloutConditions() {
    return conditions.before().stream()
        .filter(it -> TenantConditionTypes.cluster(it.type()).equals(cluster))
        .anyMatch(it -> !it.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH));
  }

  /** Where the server has other names, the conditions of the whole summarise all of them. */
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
              conditions.toList(),
              conditions.before(),
              cluster,
              conditions.rules().allowChartSkip())
          .forEach(conditions::set);
    }
  }

  private void deleting(String message) {
    set(progress(), TRUE, RolloutReasons.DELETING, "tenant cleanup in progress");
    conditions.progressing(RolloutReasons.DELETING, message);
  }

  private void resolveError() {
    if (wasTrue(error())) {
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
    if (wasTrue(progress())) {
      set(progress(), FALSE, reason, "");
    }
  }

  private boolean wasTrue(String type) {
    return ConditionList.isTrue(conditions.before(), type);
  }

  private void set(String type, ConditionStatus status, String reason, String message) {
    conditions.set(type, status, reason, message);
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

  /**
   * What there is to say about a Tenant on its cluster; {@link TenantConditionBuilder} puts it into
   * conditions.
   */
  sealed interface TenantState {

    /** A slow step is under way. */
    record Working(Activity activity) implements TenantState {}

    /** Objects of the release were changed by others and are being put back. */
    record Repairing(String message) implements TenantState {}

    /** The engine has had its run. */
    record Settled(RolloutResult result, int failures) implements TenantState {}

    record Suspended() implements TenantState {}

    /**
     * {@code spec.clusterRef} names another cluster.
     *
     * @param shared that cluster is another name of this server, and speaks for the Tenant
     * @param leftover a release of this cluster's name is still there
     */
    record Skipped(String message, boolean shared, boolean leftover) implements TenantState {}

    /** Deleted, and its release is being removed. */
    record Deleting(String message) implements TenantState {}

    /** The result of the rollout; empty for an intermediate state and for what needs no rollout. */
    default Optional<RolloutResult> settledResult() {
      return this instanceof Settled(var result, var failures)
          ? Optional.of(result)
          : Optional.empty();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.operator.release.MessageText;
import io.krypton.operator.release.RolloutEventMessage;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.WorkloadsPending;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The next conditions of an owner, beginning with those it has: a condition that nobody sets stays.
 * Holds what Ready, Reconciling and Stalled mean for every kind; each kind adds its own.
 */
public final class RolloutConditions {
  /** So many failures in a row are not transient. */
  private static final int STALLED_AFTER = 5;

  private static final Set<EventReason> REFUSALS =
      Set.of(
          EventReason.CLASS_NOT_FOUND,
          EventReason.CLASS_NOT_ALLOWED,
          EventReason.PIN_NOT_ALLOWED,
          EventReason.DOWNGRADE_REFUSED);

  private final List<Condition> before;
  private final Rules rules;
  private final Map<String, Condition> conditions = new LinkedHashMap<>();

  /**
   * What decides how failures count.
   *
   * @param allowChartSkip an unavailable chart takes nothing from a release that is deployed
   * @param resetFailures the user changed or requested something, so past failures do not count
   */
  public record Rules(boolean allowChartSkip, boolean resetFailures) {}

  public RolloutConditions(List<Condition> before, Rules rules) {
    this.before = before;
    this.rules = rules;
    before.forEach(this::set);
  }

  /** As they were. */
  public List<Condition> before() {
    return before;
  }

  /** As they are next; without times and generations if they are new. */
  public List<Condition> toList() {
    return List.copyOf(conditions.values());
  }

  public Rules rules() {
    return rules;
  }

  public void set(Condition condition) {
    conditions.put(condition.type(), condition);
  }

  public void set(String type, ConditionStatus status, String reason, String message) {
    set(Condition.of(type, status, reason, message));
  }

  public void remove(String type) {
    conditions.remove(type);
  }

  public boolean has(String type) {
    return conditions.containsKey(type);
  }

  public void ready(ConditionStatus status, String reason, String message) {
    set(RolloutConditionTypes.READY, status, reason, message);
  }

  public void reconciling(ConditionStatus status, String reason, String message) {
    set(RolloutConditionTypes.RECONCILING, status, reason, message);
  }

  public void notStalled() {
    set(RolloutConditionTypes.STALLED, FALSE, RolloutReasons.NOT_STALLED, "");
  }

  public void stalled(String reason, String message) {
    set(RolloutConditionTypes.STALLED, TRUE, reason, message);
    reconciling(FALSE, RolloutReasons.STALLED, "");
  }

  /** A step is under way whose end nobody knows. */
  public void progressing(String message) {
    ready(UNKNOWN, RolloutReasons.PROGRESSING, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  /** A step is under way, and until its end the object is not Ready. */
  public void progressing(String reason, String message) {
    ready(FALSE, reason, message);
    reconciling(TRUE, RolloutReasons.PROGRESSING, "");
    notStalled();
  }

  public void idle() {
    reconciling(FALSE, RolloutReasons.IDLE, "");
    notStalled();
  }

  public void suspended() {
    reconciling(FALSE, RolloutReasons.SUSPENDED, "");
    if (!has(RolloutConditionTypes.STALLED)) {
      notStalled();
    }
  }

  /** Nothing was tried, so that a stalled object stays stalled. */
  public void waiting(WaitReason waitReason) {
    if (!rules.resetFailures() && wasStalled()) {
      return;
    }
    if (!has(RolloutConditionTypes.READY)) {
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

  /** Its turn in the rollout of a class has not come; what is deployed may well be Ready. */
  public void held(String reason, String message) {
    if (!has(RolloutConditionTypes.READY)) {
      ready(UNKNOWN, RolloutReasons.PROGRESSING, message);
    }
    reconciling(TRUE, reason, message);
    notStalled();
  }

  /** Only a change of the object or of its class helps; what is deployed may well be Ready. */
  public void refused(EventReason reason, String message) {
    if (!has(RolloutConditionTypes.READY)) {
      ready(FALSE, reason.value(), message);
    }
    stalled(reason.value(), message);
  }

  /** Whether a condition with this reason says that the class does not give what is asked for. */
  public static boolean isRefusal(EventReason reason) {
    return REFUSALS.contains(reason);
  }

  /** The event when an owner begins to ask for what its class does not give. */
  public static Optional<RolloutEventMessage> refusal(
      List<Condition> before, List<Condition> after) {
    var known = ConditionList.find(before, RolloutConditionTypes.STALLED);
    return ConditionList.find(after, RolloutConditionTypes.STALLED)
        .filter(now -> known.filter(it -> it.reason().equals(now.reason())).isEmpty())
        .flatMap(
            now ->
                EventReason.of(now.reason())
                    .filter(RolloutConditions::isRefusal)
                    .map(reason -> new RolloutEventMessage(reason, now.message())));
  }

  public static String messageOf(WorkloadsPending pending) {
    return pending.workloads().isEmpty()
        ? "Workloads were not looked at yet"
        : "Workloads not yet ready: " + MessageText.list(pending.workloads());
  }

  public void workloadsPending(String message) {
    ready(FALSE, RolloutReasons.NOT_READY, message);
    reconciling(TRUE, RolloutReasons.WAITING_FOR_WORKLOADS, "");
    notStalled();
  }

  /** Whether a failure takes nothing from a release that is deployed. */
  public boolean isSkippable(FailureReason failureReason) {
    return rules.allowChartSkip() && failureReason.isSkippable();
  }

  /**
   * Whether a failure is final until somebody acts.
   *
   * @param retry the failure before was the same: once stalled, a restarted operator need not fail
   *     five times again
   */
  public boolean isStalled(FailureReason failureReason, int failures, boolean retry) {
    return failureReason.waitsForChange()
        || failures + 1 >= STALLED_AFTER
        || (retry && wasStalled());
  }

  private boolean wasStalled() {
    return ConditionList.isTrue(before, RolloutConditionTypes.STALLED);
  }

  /** The event when {@code spec.suspend} takes effect or ends. */
  public static Optional<RolloutEventMessage> suspendChange(
      List<Condition> before, List<Condition> after) {
    if (isSuspended(before) == isSuspended(after)) {
      return Optional.empty();
    }
    return Optional.of(
        isSuspended(before)
            ? new RolloutEventMessage(EventReason.RESUMED, "reconciliation goes on")
            : new RolloutEventMessage(
                EventReason.SUSPENDED, "nothing is installed, upgraded or repaired"));
  }

  private static boolean isSuspended(List<Condition> conditions) {
    return ConditionList.find(conditions, RolloutConditionTypes.RECONCILING)
        .filter(condition -> condition.reason().equals(RolloutReasons.SUSPENDED))
        .isPresent();
  }
}

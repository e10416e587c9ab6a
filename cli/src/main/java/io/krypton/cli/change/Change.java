// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.change;

import io.krypton.api.Annotations;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.cli.view.RolloutObject;

/** What is changed on an object, and by what one sees that the operator has acted on it; pure. */
sealed interface Change {
  record Suspend() implements Change {}

  record Resume() implements Change {}

  /** {@code at} is new each time, so that it is a new request. */
  record Reconcile(String at, boolean force) implements Change {}

  /** A JSON merge patch. */
  default String patch() {
    return switch (this) {
      case Suspend() -> "{\"spec\":{\"suspend\":true}}";
      case Resume() -> "{\"spec\":{\"suspend\":false}}";
      case Reconcile(var at, var force) ->
          "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"%s}}}"
              .formatted(
                  Annotations.REQUESTED_AT,
                  at,
                  force ? ",\"%s\":\"%s\"".formatted(Annotations.FORCE_AT, at) : "");
    };
  }

  default String description() {
    return switch (this) {
      case Suspend() -> "suspended";
      case Resume() -> "resumed";
      case Reconcile reconcile -> "reconcile requested";
    };
  }

  /** Whether the object is that way already. */
  default boolean isAppliedTo(RolloutObject object) {
    return switch (this) {
      case Suspend() -> object.suspended();
      case Resume() -> !object.suspended();
      case Reconcile reconcile -> false;
    };
  }

  /** Whether the status says that the operator has seen it and done what it asks for. */
  default boolean isHandledFor(RolloutObject object) {
    return switch (this) {
      case Suspend() -> object.isObserved() && hasSuspendedReason(object);
      case Resume() -> object.isSettled() && !hasSuspendedReason(object);
      case Reconcile(var at, var force) ->
          at.equals(object.handledRequest()) && (!force || at.equals(object.handledForce()));
    };
  }

  private static boolean hasSuspendedReason(RolloutObject object) {
    return ConditionList.find(object.conditions(), RolloutConditionTypes.RECONCILING)
        .map(Condition::reason)
        .filter(RolloutReasons.SUSPENDED::equals)
        .isPresent();
  }
}

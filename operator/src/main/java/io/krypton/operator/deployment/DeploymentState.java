// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.deployment;

import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What there is to say about a deployment; {@link DeploymentConditionBuilder} puts it into
 * conditions.
 */
sealed interface DeploymentState {

  /** Only where it is, or was, has changed. */
  record Routed() implements DeploymentState {}

  /** The cluster of its region is being engaged. */
  record Connecting() implements DeploymentState {}

  /** The cluster of its region cannot be used. */
  record Unavailable(String message) implements DeploymentState {}

  /** It asks for something that cannot be; only a change of it helps. */
  record Rejected(String reason, String message) implements DeploymentState {}

  /** A slow step is under way. */
  record Working(Activity activity) implements DeploymentState {}

  /** Objects of the release were changed by others and are being put back. */
  record Repairing(String message) implements DeploymentState {}

  /** The engine has had its run. */
  record Settled(RolloutResult result, int failures) implements DeploymentState {}

  record Suspended() implements DeploymentState {}

  /**
   * Deleted, and its release is being removed.
   *
   * @param blockedBy what keeps its namespace, if that is known
   */
  record Deleting(@Nullable String blockedBy) implements DeploymentState {
    Deleting() {
      this(null);
    }
  }

  /** Deleted, and its release cannot be removed now. */
  record DeletionBlocked(String reason, String message) implements DeploymentState {}

  /** The result of the rollout; empty for an intermediate state and for what needs no rollout. */
  default Optional<RolloutResult> settledResult() {
    return this instanceof Settled(var result, var failures)
        ? Optional.of(result)
        : Optional.empty();
  }

  /** Whether it is about the present generation of the object; else it is intermediate. */
  default boolean isFinal() {
    return switch (this) {
      case Unavailable unavailable -> true;
      case Rejected rejected -> true;
      case Settled settled -> true;
      case Routed routed -> false;
      case Connecting connecting -> false;
      case Working working -> false;
      case Repairing repairing -> false;
      case Suspended suspended -> false;
      case Deleting deleting -> false;
      case DeletionBlocked blocked -> false;
    };
  }
}

package io.krypton.operator.tenant;

import io.krypton.operator.release.RolloutListener.Activity;
import io.krypton.operator.release.RolloutResult;
import java.util.Optional;

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

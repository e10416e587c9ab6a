package io.krypton.operator.tenant;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.rollout.Phase;
import io.krypton.api.tenant.TenantConditions;
import io.krypton.operator.rollout.Problem;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;

/** One word for all conditions of a Tenant. */
final class TenantPhase {
  private static final Set<String> FORGIVABLE =
      Arrays.stream(Problem.values())
          .filter(Problem::isForgivable)
          .map(Problem::word)
          .collect(Collectors.toUnmodifiableSet());

  private TenantPhase() {}

  /**
   * @param allowChartSkip errors about a chart that cannot be had do not count
   */
  static Phase of(List<Condition> conditions, boolean allowChartSkip) {
    if (anyTrue(
        conditions, TenantConditions.CLUSTER_ERROR, error -> counts(error, allowChartSkip))) {
      return Phase.ERROR;
    }
    return anyTrue(conditions, TenantConditions.CLUSTER_READY, ready -> true)
        ? Phase.READY
        : Phase.PENDING;
  }

  /** Whether an error that is True is one of the Tenant. */
  static boolean counts(Condition error, boolean allowChartSkip) {
    return !(allowChartSkip && FORGIVABLE.contains(error.reason()));
  }

  private static boolean anyTrue(
      List<Condition> conditions, String prefix, Predicate<Condition> counts) {
    return conditions.stream()
        .anyMatch(
            condition ->
                condition.type().startsWith(prefix)
                    && condition.status() == ConditionStatus.TRUE
                    && counts.test(condition));
  }
}

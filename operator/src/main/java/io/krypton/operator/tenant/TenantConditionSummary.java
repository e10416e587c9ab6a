// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tenant;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.rollout.RolloutConditionTypes;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.tenant.TenantConditionTypes;
import io.krypton.api.tenant.TenantConditionTypes.TenantReasons;
import io.krypton.operator.release.RolloutResult.FailureReason;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * What is said of a Tenant as a whole on a server that has several names; pure.
 *
 * <p>Each name has conditions of its own, and the whole is as well as the worst of them. All names
 * write to one object, so each must come to the same words: else each would overwrite the other's,
 * be enqueued by that, and so on without end.
 */
final class TenantConditionSummary {
  private TenantConditionSummary() {}

  /** From well to bad. */
  private enum Rank {
    READY,
    PROGRESSING,
    NOT_READY,
    ERROR
  }

  /**
   * How the Tenant is doing under one name.
   *
   * @param ready what condition Ready says if this is the worst
   */
  private record ClusterSummary(String cluster, Rank rank, Condition ready) {
    static final Comparator<ClusterSummary> WORST_FIRST =
        Comparator.comparing(ClusterSummary::rank)
            .reversed()
            .thenComparing(ClusterSummary::cluster);
  }

  /**
   * The conditions of the whole, in so far as they differ from what this cluster says of itself.
   *
   * @param conditions of all clusters, with what this one says now
   * @param before the stored ones
   */
  static List<Condition> of(
      List<Condition> conditions, List<Condition> before, String cluster, boolean allowChartSkip) {
    var hasOtherNames = clusterNames(conditions).anyMatch(name -> !name.equals(cluster));
    var worst = worst(conditions, allowChartSkip).orElse(null);
    if (!hasOtherNames || worst == null) {
      return List.of();
    }
    var summary = new ArrayList<>(List.of(worst.ready()));
    if (!worst.cluster().equals(cluster)) {
      summary.add(
          retained(RolloutConditionTypes.RECONCILING, worst, before, cluster, allowChartSkip));
      summary.add(retained(RolloutConditionTypes.STALLED, worst, before, cluster, allowChartSkip));
    }
    return summary;
  }

  /**
   * What the worst one has said stays. If it was this one that spoke until now, its words are
   * replaced by what can be told from outside, which the other corrects if it knows better.
   */
  private static Condition retained(
      String type,
      ClusterSummary worst,
      List<Condition> before,
      String cluster,
      boolean allowChartSkip) {
    var spoke = worst(before, allowChartSkip).map(ClusterSummary::cluster).orElse(cluster);
    return ConditionList.find(before, type)
        .filter(said -> !spoke.equals(cluster))
        .filter(said -> !said.reason().equals(RolloutReasons.SUSPENDED))
        .orElseGet(() -> derived(type, worst));
  }

  private static Condition derived(String type, ClusterSummary worst) {
    if (type.equals(RolloutConditionTypes.STALLED)) {
      return Condition.of(type, FALSE, RolloutReasons.NOT_STALLED, "");
    }
    return switch (worst.rank()) {
      case READY -> Condition.of(type, FALSE, RolloutReasons.IDLE, "");
      case PROGRESSING -> Condition.of(type, TRUE, RolloutReasons.PROGRESSING, "");
      case NOT_READY -> Condition.of(type, TRUE, RolloutReasons.WAITING_FOR_WORKLOADS, "");
      case ERROR ->
          Condition.of(type, TRUE, RolloutReasons.PROGRESSING_WITH_RETRY, worst.ready().message());
    };
  }

  private static Optional<ClusterSummary> worst(
      List<Condition> conditions, boolean allowChartSkip) {
    return clusterNames(conditions)
        .flatMap(name -> summaryOf(name, conditions, allowChartSkip).stream())
        .min(ClusterSummary.WORST_FIRST);
  }

  private static Stream<String> clusterNames(List<Condition> conditions) {
    return conditions.stream()
        .map(condition -> TenantConditionTypes.cluster(condition.type()))
        .filter(name -> !name.isEmpty())
        .distinct();
  }

  /** Empty for a name under which the Tenant is skipped. */
  private static Optional<ClusterSummary> summaryOf(
      String name, List<Condition> conditions, boolean allowChartSkip) {
    var error =
        ConditionList.find(conditions, TenantConditionTypes.clusterError(name))
            .filter(it -> it.status() == TRUE && TenantPhase.isCounted(it, allowChartSkip));
    if (error.isPresent()) {
      return summaryOf(name, Rank.ERROR, FALSE, error.get());
    }
    var ready = ConditionList.find(conditions, TenantConditionTypes.clusterReady(name));
    if (ready.filter(it -> it.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH)).isPresent()) {
      return Optional.empty();
    }
    if (ready.filter(it -> it.status() == FALSE).isPresent()) {
      return summaryOf(name, Rank.NOT_READY, FALSE, ready.get());
    }
    return ready.isPresent()
            && !ConditionList.isTrue(conditions, TenantConditionTypes.clusterProgress(name))
        ? Optional.of(
            new ClusterSummary(
                name, Rank.READY, ready(TRUE, RolloutReasons.DEPLOYED, "release deployed")))
        : Optional.of(
            new ClusterSummary(
                name, Rank.PROGRESSING, ready(UNKNOWN, RolloutReasons.PROGRESSING, "")));
  }

  private static Optional<ClusterSummary> summaryOf(
      String name, Rank rank, ConditionStatus status, Condition of) {
    return Optional.of(
        new ClusterSummary(
            name,
            rank,
            ready(status, of.reason(), "on cluster %s: %s".formatted(name, of.message()))));
  }

  private static Condition ready(ConditionStatus status, String reason, String message) {
    return Condition.of(RolloutConditionTypes.READY, status, reason, message);
  }

  /** One word for all conditions of a Tenant. */
  static final class TenantPhase {
    private static final Set<String> SKIPPABLE =
        Arrays.stream(FailureReason.values())
            .filter(FailureReason::isSkippable)
            .map(FailureReason::value)
            .collect(Collectors.toUnmodifiableSet());

    private TenantPhase() {}

    /**
     * @param allowChartSkip errors about a chart that cannot be had do not count
     */
    static RolloutPhase of(List<Condition> conditions, boolean allowChartSkip) {
      if (anyTrue(
          conditions,
          TenantConditionTypes.CLUSTER_ERROR,
          error -> isCounted(error, allowChartSkip))) {
        return RolloutPhase.ERROR;
      }
      return anyTrue(conditions, TenantConditionTypes.CLUSTER_READY, ready -> true)
          ? RolloutPhase.READY
          : RolloutPhase.PENDING;
    }

    /** Whether an error that is True is one of the Tenant. */
    static boolean isCounted(Condition error, boolean allowChartSkip) {
      return !(allowChartSkip && SKIPPABLE.contains(error.reason()));
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
}

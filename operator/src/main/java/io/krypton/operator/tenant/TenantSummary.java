package io.krypton.operator.tenant;

import static io.krypton.api.condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.condition.Conditions;
import io.krypton.api.rollout.RolloutConditions;
import io.krypton.api.rollout.RolloutReasons;
import io.krypton.api.tenant.TenantConditions;
import io.krypton.api.tenant.TenantReasons;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * What is said of a Tenant as a whole on a server that has several names; pure.
 *
 * <p>Each name has conditions of its own, and the whole is as well as the worst of them. All names
 * write to one object, so each must come to the same words: else each would overwrite the other's,
 * be woken by that, and so on without end.
 */
final class TenantSummary {
  private TenantSummary() {}

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
  private record Standing(String cluster, Rank rank, Condition ready) {
    static final Comparator<Standing> WORST_FIRST =
        Comparator.comparing(Standing::rank).reversed().thenComparing(Standing::cluster);
  }

  /**
   * The conditions of the whole, in so far as they differ from what this cluster says of itself.
   *
   * @param conditions of all clusters, with what this one says now
   * @param before the stored ones
   */
  static List<Condition> of(
      List<Condition> conditions, List<Condition> before, String cluster, boolean allowChartSkip) {
    var hasOtherNames = names(conditions).anyMatch(name -> !name.equals(cluster));
    var worst = worst(conditions, allowChartSkip).orElse(null);
    if (!hasOtherNames || worst == null) {
      return List.of();
    }
    var summary = new ArrayList<>(List.of(worst.ready()));
    if (!worst.cluster().equals(cluster)) {
      summary.add(kept(RolloutConditions.RECONCILING, worst, before, cluster, allowChartSkip));
      summary.add(kept(RolloutConditions.STALLED, worst, before, cluster, allowChartSkip));
    }
    return summary;
  }

  /**
   * What the worst one has said stays. If it was this one that spoke until now, its words are
   * replaced by what can be told from outside, which the other corrects if it knows better.
   */
  private static Condition kept(
      String type, Standing worst, List<Condition> before, String cluster, boolean allowChartSkip) {
    var spoke = worst(before, allowChartSkip).map(Standing::cluster).orElse(cluster);
    return Conditions.find(before, type)
        .filter(said -> !spoke.equals(cluster))
        .filter(said -> !said.reason().equals(RolloutReasons.SUSPENDED))
        .orElseGet(() -> fromOutside(type, worst));
  }

  private static Condition fromOutside(String type, Standing worst) {
    if (type.equals(RolloutConditions.STALLED)) {
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

  private static Optional<Standing> worst(List<Condition> conditions, boolean allowChartSkip) {
    return names(conditions)
        .flatMap(name -> standing(name, conditions, allowChartSkip).stream())
        .min(Standing.WORST_FIRST);
  }

  private static Stream<String> names(List<Condition> conditions) {
    return conditions.stream()
        .map(condition -> TenantConditions.cluster(condition.type()))
        .filter(name -> !name.isEmpty())
        .distinct();
  }

  /** Empty for a name under which the Tenant is skipped. */
  private static Optional<Standing> standing(
      String name, List<Condition> conditions, boolean allowChartSkip) {
    var error =
        Conditions.find(conditions, TenantConditions.clusterError(name))
            .filter(it -> it.status() == TRUE && TenantPhase.counts(it, allowChartSkip));
    if (error.isPresent()) {
      return standing(name, Rank.ERROR, FALSE, error.get());
    }
    var ready = Conditions.find(conditions, TenantConditions.clusterReady(name));
    if (ready.filter(it -> it.reason().equals(TenantReasons.CLUSTER_REF_MISMATCH)).isPresent()) {
      return Optional.empty();
    }
    if (ready.filter(it -> it.status() == FALSE).isPresent()) {
      return standing(name, Rank.NOT_READY, FALSE, ready.get());
    }
    return ready.isPresent()
            && !Conditions.isTrue(conditions, TenantConditions.clusterProgress(name))
        ? Optional.of(
            new Standing(
                name, Rank.READY, ready(TRUE, RolloutReasons.DEPLOYED, "release deployed")))
        : Optional.of(
            new Standing(name, Rank.PROGRESSING, ready(UNKNOWN, RolloutReasons.PROGRESSING, "")));
  }

  private static Optional<Standing> standing(
      String name, Rank rank, ConditionStatus status, Condition of) {
    return Optional.of(
        new Standing(
            name,
            rank,
            ready(status, of.reason(), "on cluster %s: %s".formatted(name, of.message()))));
  }

  private static Condition ready(ConditionStatus status, String reason, String message) {
    return Condition.of(RolloutConditions.READY, status, reason, message);
  }
}

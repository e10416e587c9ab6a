package io.krypton.multicluster.status;

import io.fabric8.kubernetes.api.model.Condition;
import io.fabric8.kubernetes.api.model.ConditionBuilder;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Conditions as Kubernetes means them: the time of transition belongs to the status alone. */
public final class StatusConditions {
  private StatusConditions() {}

  public static Optional<Condition> find(@Nullable List<Condition> conditions, String type) {
    return conditions == null
        ? Optional.empty()
        : conditions.stream().filter(condition -> type.equals(condition.getType())).findFirst();
  }

  /**
   * The wanted conditions, each with the time of its last transition: that of the live condition of
   * the same type and status, otherwise now.
   */
  public static List<Condition> withTransitionTimes(
      @Nullable List<Condition> live, List<Condition> wanted, Instant now) {
    return wanted.stream()
        .map(condition -> withTransitionTimes(find(live, condition.getType()), condition, now))
        .toList();
  }

  private static Condition withTransitionTimes(
      Optional<Condition> live, Condition wanted, Instant now) {
    var since =
        live.filter(before -> before.getStatus().equals(wanted.getStatus()))
            .map(Condition::getLastTransitionTime)
            .orElseGet(() -> now.truncatedTo(ChronoUnit.SECONDS).toString());
    return new ConditionBuilder(wanted).withLastTransitionTime(since).build();
  }
}

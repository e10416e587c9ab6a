package io.krypton.operator.kmshealth.union;

import io.krypton.api.condition.ConditionStatus;
import java.util.List;

/**
 * A sum that is made: over all condition types that end with its own.
 *
 * @param normal the status it has when all is well
 * @param inert whether something must last before it shows
 */
public record UnionOutput(String type, ConditionStatus normal, boolean inert) {
  public static final UnionOutput DEGRADED =
      new UnionOutput("Degraded", ConditionStatus.FALSE, true);

  /** All sums of a ClusterOperator. */
  public static final List<UnionOutput> ALL =
      List.of(
          DEGRADED,
          new UnionOutput("Progressing", ConditionStatus.FALSE, false),
          new UnionOutput("Available", ConditionStatus.TRUE, false),
          new UnionOutput("Upgradeable", ConditionStatus.TRUE, false),
          new UnionOutput("EvaluationConditionsDetected", ConditionStatus.FALSE, false));

  ConditionStatus opposite() {
    return normal == ConditionStatus.TRUE ? ConditionStatus.FALSE : ConditionStatus.TRUE;
  }
}

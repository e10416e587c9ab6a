// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.operator.classes.controller.ClassAnswers.DecidedRollout;
import io.krypton.operator.classes.decide.DeciderMemory;
import io.krypton.operator.classes.decide.DeciderMemory.ClockReading;
import io.krypton.operator.classes.decide.ObservedTarget;
import io.krypton.operator.classes.decide.RolloutDecider;
import io.krypton.operator.classes.decide.RolloutDecision;
import io.krypton.operator.classes.decide.RolloutInput;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One decision about the latest rollout of a class, stored before anybody hears of it. */
final class RolloutStep {
  private final ClassRollouts rollouts;
  private final List<ObservedTarget> targets;
  private final boolean isSettled;
  private final ClockReading clock;

  /**
   * @param isSettled whether the targets are all there are; else the cursor stays where it is
   */
  RolloutStep(
      ClassRollouts rollouts,
      List<ObservedTarget> targets,
      boolean isSettled,
      ClockReading clock) {
    this.rollouts = rollouts;
    this.targets = targets;
    this.isSettled = isSettled;
    this.clock = clock;
  }

  /** A decision that is stored. */
  record Taken(ChartRollout rollout, RolloutDecision decision) {
    DecidedRollout decided() {
      return new DecidedRollout(rollout, decision.desired());
    }

    boolean isActive() {
      return ClassRollouts.isActive(rollout);
    }

    /** The revision that everybody is to be on from now on. */
    Optional<RevisionReference> completed() {
      return rollout.getStatus().phase() == ChartRolloutPhase.COMPLETED
          ? Optional.of(rollout.getSpec().to())
          : Optional.empty();
    }
  }

  /**
   * Decides and stores.
   *
   * @param wanted hash of what the class asks for; null if that is not known now
   * @return empty if it was not stored; then the decision counts for nothing
   */
  Optional<Taken> take(ChartRollout rollout, @Nullable String wanted, DeciderMemory memory) {
    var input = rollouts.input(rollout, wanted);
    if (!isSettled) {
      var decision = RolloutDecider.decide(standingStill(input), targets, memory, clock);
      return Optional.of(new Taken(rollout, decision));
    }
    var decision = RolloutDecider.decide(input, targets, memory, clock);
    var isOutdated =
        !decision.status().equals(rollout.getStatus())
            || !Objects.equals(
                rollout.getStatus().observedGeneration(), rollout.getMetadata().getGeneration());
    var stored =
        isOutdated ? rollouts.write(rollout, decision.status()) : Optional.of(rollout);
    stored.ifPresent(it -> decision.notices().forEach(notice -> rollouts.emit(it, notice)));
    return stored.map(it -> new Taken(it, decision));
  }

  /** Nobody begins, and what was begun is kept: not all targets are known yet. */
  private static RolloutInput standingStill(RolloutInput input) {
    var spec = input.spec();
    var paused =
        ChartRolloutSpec.of(
            spec.className(), spec.from(), spec.to(), spec.policy(), Run.PAUSED);
    return new RolloutInput(
        input.name(), paused, input.status(), null, input.approvedWaves(), null);
  }
}

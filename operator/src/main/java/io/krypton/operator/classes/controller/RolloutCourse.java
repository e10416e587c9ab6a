// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.tenantclass.TenantClass;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.operator.classes.controller.ClassStatusWriter.Verdict;
import io.krypton.operator.classes.decide.DeciderMemory.ClockReading;
import io.krypton.operator.classes.target.RolloutTarget;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Which rollout of a class there is to be, and what is decided about it in this run. */
final class RolloutCourse {
  private final ClassRollouts rollouts;
  private final ClassMemory memory;
  private final List<RolloutTarget> targets;
  private final boolean isSettled;
  private final ClockReading clock;

  RolloutCourse(
      ClassRollouts rollouts,
      ClassMemory memory,
      List<RolloutTarget> targets,
      boolean isSettled,
      ClockReading clock) {
    this.rollouts = rollouts;
    this.memory = memory;
    this.targets = targets;
    this.isSettled = isSettled;
    this.clock = clock;
  }

  /**
   * What the status of the class says next.
   *
   * @param taken null if there is no rollout
   * @param refused hashes that are not tried again
   */
  record Outcome(
      @Nullable RevisionReference stable,
      @Nullable RevisionReference target,
      List<String> refused,
      RolloutStep.@Nullable Taken taken) {}

  /** Empty if something could not be stored; then nobody may act. */
  Optional<Outcome> follow(TenantClass tenantClass, Verdict verdict) {
    var status = tenantClass.getStatus();
    var wanted = verdict instanceof Verdict.Accepted(var revision) ? revision : null;
    var latest = rollouts.latest().orElse(null);
    var first = step(latest, wanted);
    if (latest != null && first.isEmpty()) {
      return Optional.empty();
    }
    var stable = stableOf(tenantClass, wanted, first.orElse(null));
    var refused = refused(tenantClass, first.orElse(null));
    if (wanted == null || !isSettled || !needsRollout(wanted, stable, refused, first.orElse(null))) {
      return Optional.of(outcome(status.target(), wanted, stable, refused, first.orElse(null)));
    }
    refused.remove(wanted.hash());
    var from = wanted.equals(stable) ? null : stable;
    var created = step(rollouts.create(from, wanted), wanted);
    return created.map(it -> outcome(status.target(), wanted, stable, refused, it));
  }

  private static Outcome outcome(
      @Nullable RevisionReference before,
      @Nullable RevisionReference wanted,
      @Nullable RevisionReference stable,
      List<String> refused,
      RolloutStep.@Nullable Taken taken) {
    return new Outcome(stable, wanted == null ? before : wanted, refused, taken);
  }

  private Optional<RolloutStep.Taken> step(
      @Nullable ChartRollout rollout, @Nullable RevisionReference wanted) {
    if (rollout == null) {
      return Optional.empty();
    }
    var name = rollout.getMetadata().getName();
    var observed = new TargetObserver(memory.revisions(), name).all(targets);
    var taken =
        new RolloutStep(rollouts, observed, isSettled, clock)
            .take(rollout, wanted == null ? null : wanted.hash(), memory.of(name));
    taken.ifPresent(memory::decided);
    return taken;
  }

  /** Nothing that is there waits for the very first revision. */
  private @Nullable RevisionReference stableOf(
      TenantClass tenantClass,
      @Nullable RevisionReference wanted,
      RolloutStep.@Nullable Taken taken) {
    var completed = taken == null ? Optional.<RevisionReference>empty() : taken.completed();
    if (completed.isPresent()) {
      return completed.get();
    }
    var known = memory.stable(tenantClass);
    if (known != null) {
      return known.reference();
    }
    var named = tenantClass.getStatus().stable();
    var isWanted = named == null || (wanted != null && wanted.hash().equals(named.hash()));
    return isWanted ? wanted : named; // The latter is not stored any more.
  }

  private List<String> refused(TenantClass tenantClass, RolloutStep.@Nullable Taken taken) {
    var status = tenantClass.getStatus();
    var isSameSpec =
        Objects.equals(status.observedGeneration(), tenantClass.getMetadata().getGeneration());
    var refused = new ArrayList<String>(isSameSpec ? status.refused() : List.of());
    if (taken != null && taken.decision().refused() && isSameSpec) {
      var hash = taken.rollout().getSpec().to().hash();
      if (!refused.contains(hash)) {
        refused.add(hash);
      }
    }
    return refused;
  }

  private boolean needsRollout(
      RevisionReference wanted,
      @Nullable RevisionReference stable,
      List<String> refused,
      RolloutStep.@Nullable Taken latest) {
    if (stable == null || (latest != null && latest.isActive())) {
      return false;
    }
    if (latest != null && latest.decision().restart()) {
      return true;
    }
    if (refused.contains(wanted.hash())) {
      return false;
    }
    if (latest == null) {
      return !wanted.hash().equals(stable.hash());
    }
    var to = latest.rollout().getSpec().to().hash();
    var isEnded = latest.rollout().getStatus().phase() == ChartRolloutPhase.ABORTED;
    if (wanted.hash().equals(stable.hash())) {
      return isEnded && !to.equals(wanted.hash()) && isSomebodyOn(to);
    }
    return !(isEnded && to.equals(wanted.hash()));
  }

  /** What was aborted is left behind only by going back to what is stable. */
  private boolean isSomebodyOn(String hash) {
    return targets.stream()
        .map(RolloutTarget::revisionLabel)
        .anyMatch(label -> label != null && hash.startsWith(label));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.controller;

import io.krypton.api.chartrollout.ChartRollout;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.RolloutConditionTypes.RolloutReasons;
import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.api.tenantclass.RolloutPolicy.WaveSpec;
import io.krypton.api.tenantclass.TenantClassSpec.Allowed;
import io.krypton.operator.classes.decide.DesiredRevision;
import io.krypton.operator.classes.decide.DesiredRevision.Desired;
import io.krypton.operator.classes.decide.DesiredRevision.StayReason;
import io.krypton.operator.classes.decide.DesiredRevision.TargetDecision;
import io.krypton.operator.classes.revision.ClassRevision;
import io.krypton.operator.classes.revision.Revisions;
import io.krypton.operator.classes.target.RolloutTarget;
import io.krypton.operator.release.RevisionSource.Assignment;
import io.krypton.operator.release.RevisionSource.ReleaseRevision;
import io.krypton.operator.release.RevisionSource.RolloutPosition;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** What the targets of one class get, as it was decided, and stored, at one moment. */
final class ClassAnswers {
  private final String className;
  private final Allowed allowed;
  private final Revisions revisions;
  private final @Nullable ClassRevision stable;
  private final @Nullable DecidedRollout rollout;
  private final TargetObserver observer;

  /** Clusters have few different labels, and each merges all values. */
  private final Map<ClusterRevision, ReleaseRevision> merged = new ConcurrentHashMap<>();

  private record ClusterRevision(String hash, Map<String, String> clusterLabels) {}

  /** The latest rollout, and what follows from its cursor. */
  record DecidedRollout(ChartRollout rollout, DesiredRevision desired) {
    String name() {
      return rollout.getMetadata().getName();
    }

    ChartRolloutSpec spec() {
      return rollout.getSpec();
    }

    private boolean isActive() {
      var phase = rollout.getStatus().phase();
      return phase == null || !phase.isFinal();
    }
  }

  /**
   * @param stable what everybody gets whom no rollout moves; null if there is nothing yet
   * @param rollout the latest one; null if there was none
   */
  ClassAnswers(
      String className,
      Allowed allowed,
      Revisions revisions,
      @Nullable ClassRevision stable,
      @Nullable DecidedRollout rollout) {
    this.className = className;
    this.allowed = allowed;
    this.revisions = revisions;
    this.stable = stable;
    this.rollout = rollout;
    this.observer = new TargetObserver(revisions, rollout == null ? null : rollout.name());
  }

  /** Whether nothing was rolled out yet, and nothing is. */
  boolean isEmpty() {
    return stable == null && rollout == null;
  }

  Assignment answer(RolloutTarget target) {
    if (!allowed.allowsCluster(target.clusterLabels())) {
      return new Assignment.Refuse(
          EventReason.CLASS_NOT_ALLOWED,
          "class %s may not be used on cluster %s; see spec.allow.clusters of the class"
              .formatted(className, target.key().cluster()));
    }
    var observed = observer.observe(target);
    if (rollout == null) {
      return answer(target, DesiredRevision.withoutRollout(observed), null);
    }
    var decision = rollout.desired().of(observed);
    return answer(target, decision.desired(), decision);
  }

  private Assignment answer(
      RolloutTarget target, Desired desired, @Nullable TargetDecision decision) {
    var position = position(decision);
    return switch (desired) {
      case Desired.Use(var which) ->
          switch (which) {
            case PIN -> pinned(target);
            case TARGET -> use(targetRevision(), target, position);
            case STABLE -> use(stableRevision(), target, position);
          };
      case Desired.Stay(var reason) ->
          new Assignment.Hold(
              on(present(target), target),
              RolloutReasons.ROLLOUT_WAITING,
              messageOf(reason, decision),
              position);
    };
  }

  private Assignment use(
      @Nullable ClassRevision revision, RolloutTarget target, @Nullable RolloutPosition position) {
    var found = on(revision, target);
    return found == null
        ? new Assignment.Hold(
            null,
            RolloutReasons.ROLLOUT_WAITING,
            "class %s has no revision to roll out; its conditions say why".formatted(className),
            position)
        : new Assignment.Use(found, position);
  }

  private @Nullable ClassRevision targetRevision() {
    return rollout == null ? stable : revisions.find(rollout.spec().to());
  }

  /** What a rollout began with; after it, what it made stable. */
  private @Nullable ClassRevision stableRevision() {
    return rollout != null && rollout.isActive() ? revisions.find(rollout.spec().from()) : stable;
  }

  /** The one that the release is on; what no class rolled out is taken for the stable one. */
  private @Nullable ClassRevision present(RolloutTarget target) {
    return target.isUnlabelled() ? stableRevision() : revisions.byLabel(target.revisionLabel());
  }

  private @Nullable ReleaseRevision on(@Nullable ClassRevision revision, RolloutTarget target) {
    return revision == null
        ? null
        : merged.computeIfAbsent(
            new ClusterRevision(revision.hash(), target.clusterLabels()),
            cluster -> revision.on(cluster.clusterLabels()));
  }

  private Assignment pinned(RolloutTarget target) {
    var pin = target.observed().choice().pin();
    var base = stable == null ? targetRevision() : stable;
    if (!allowed.pinning()) {
      return new Assignment.Refuse(
          EventReason.PIN_NOT_ALLOWED,
          "spec.pin is set and class %s does not allow it; remove it, or set spec.allow.pinning of the class"
              .formatted(className));
    }
    if (pin == null || base == null) {
      return use(null, target, null);
    }
    var chart = base.chart().withVersion(pin);
    var present = target.observed().health().chartVersion();
    if (!allowed.downgrade()
        && present != null
        && chart.isOlderThan(base.chart().withVersion(present))) {
      return new Assignment.Refuse(
          EventReason.DOWNGRADE_REFUSED,
          "spec.pin %s is older than %s, which is rolled out; pin that, or set spec.allow.downgrade of the class"
              .formatted(pin, present));
    }
    return new Assignment.Use(
        merged.computeIfAbsent(
            new ClusterRevision("pin " + pin, target.clusterLabels()),
            cluster -> pinned(base, pin).onWithAnyContent(cluster.clusterLabels())),
        null);
  }

  private static ClassRevision pinned(ClassRevision base, String version) {
    return ClassRevision.of(
        base.className(), 0, base.chart().withVersion(version), "", base.values());
  }

  /** Null outside of a rollout that is under way. */
  private @Nullable RolloutPosition position(@Nullable TargetDecision decision) {
    if (rollout == null || decision == null || !rollout.isActive()) {
      return null;
    }
    var state = decision.state();
    var whenReady =
        state == RolloutTargetState.UPDATING
            ? soaks(decision.wave()) ? RolloutTargetState.SOAKING : RolloutTargetState.DONE
            : state;
    return new RolloutPosition(rollout.name(), decision.wave(), state, whenReady);
  }

  private boolean soaks(String wave) {
    return rollout != null
        && rollout.spec().waves().stream()
            .filter(it -> it.name().equals(wave))
            .map(WaveSpec::soak)
            .anyMatch(soak -> soak != null && soak.value().compareTo(Duration.ZERO) > 0);
  }

  private String messageOf(StayReason reason, @Nullable TargetDecision decision) {
    var where = decision == null || rollout == null ? "" : " in " + place(decision.wave());
    return switch (reason) {
      case DELETING, SUSPENDED -> "";
      case UNREACHABLE -> "its cluster does not answer" + where;
      case WAITING -> "waits" + where;
      case WINDOW_CLOSED -> "waits for a window" + where;
      case KMS_DEGRADED -> "waits until KMS plugins of its cluster work again" + where;
      case PLANNED -> "waits" + where + ", which is only planned";
      case PAUSED -> "waits" + where + ", which is paused";
      case HALTED -> "waits" + where + ", which is halted";
      case ROLLING_BACK -> "waits to go back" + where;
      case ENDED -> "stays as it is: " + (rollout == null ? "" : rollout.name()) + " has ended";
    };
  }

  /** For people: {@code wave 3 of 4 of default-8}. */
  private String place(String wave) {
    if (rollout == null) {
      return "";
    }
    var waves = rollout.spec().waves();
    var number = waves.size() + 1;
    for (var i = 0; i < waves.size(); i++) {
      if (waves.get(i).name().equals(wave)) {
        number = i + 1;
      }
    }
    return "wave %d of %d of %s".formatted(number, waves.size() + 1, rollout.name());
  }
}

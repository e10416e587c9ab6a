// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.util.Objects.requireNonNull;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.chartrollout.ChartRolloutStatus.WaveStatus;
import io.krypton.api.event.EventReason;
import io.krypton.api.tenantclass.RolloutPolicy;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.operator.classes.decide.DeciderMemory.ClockReading;
import io.krypton.operator.classes.decide.DesiredRevision.Desired;
import io.krypton.operator.classes.decide.DesiredRevision.Revision;
import io.krypton.operator.classes.decide.DesiredRevision.StayReason;
import io.krypton.operator.classes.decide.RolloutDecision.RolloutNotice;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rollout with its targets, a clock that is set, and an engine that does at once what is asked.
 */
final class RolloutSimulation {
  static final String STABLE = "stable-hash";
  static final String TARGET = "target-hash";
  static final Duration READY_AFTER = Duration.ofSeconds(30);

  private static final ObjectMapper YAML = new YAMLMapper();

  final Map<TargetKey, SimulatedTarget> targets = new LinkedHashMap<>();
  final Set<String> approved = new HashSet<>();
  final Set<String> neverReady = new HashSet<>();
  final List<RolloutNotice> notices = new ArrayList<>();
  Instant now = Instant.parse("2026-05-04T08:00:00Z");

  /** The true time; {@link #now} is what a clock shows that may be set. */
  Instant real = now;

  long nanos = 17;
  ChartRolloutSpec spec;
  ChartRolloutStatus status = ChartRolloutStatus.EMPTY;
  DeciderMemory memory = DeciderMemory.EMPTY;
  @Nullable String wanted = TARGET;
  @Nullable String retryAt;
  @Nullable RolloutDecision last;

  RolloutSimulation(String policy) {
    spec =
        ChartRolloutSpec.of(
            "default",
            new RevisionReference(7, "1.3.0", STABLE),
            new RevisionReference(8, "1.4.0", TARGET),
            policy(policy),
            Run.RUNNING);
  }

  static RolloutPolicy policy(String yaml) {
    try {
      return YAML.readValue(yaml, RolloutPolicy.class);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Without a revision to go back to. */
  RolloutSimulation first() {
    spec = ChartRolloutSpec.of("default", null, spec.to(), spec.policy(), spec.run());
    return this;
  }

  RolloutSimulation run(Run run) {
    spec = ChartRolloutSpec.of("default", spec.from(), spec.to(), spec.policy(), run);
    return this;
  }

  /** Installed with the stable revision and ready since long ago. */
  SimulatedTarget installed(String name, String ring) {
    var target = added(name, ring);
    target.put(STABLE, now.minus(Duration.ofDays(1)));
    target.readyAt = real.minus(Duration.ofHours(23));
    target.notReadySince = null;
    return target;
  }

  /** Not installed. */
  SimulatedTarget added(String name, String ring) {
    var target = new SimulatedTarget(this, name, ring);
    targets.put(target.key, target);
    return target;
  }

  void installed(int count, String prefix, String ring) {
    for (int i = 0; i < count; i++) {
      installed(prefix + i, ring);
    }
  }

  RolloutInput input() {
    return new RolloutInput("default-8", spec, status, wanted, approved, retryAt);
  }

  /** Decides and stores what is decided; nobody acts on it. */
  RolloutDecision decide() {
    var decision =
        RolloutDecider.decide(
            input(),
            targets.values().stream().map(SimulatedTarget::observed).toList(),
            memory,
            new ClockReading(now, nanos));
    status = decision.status();
    memory = decision.memory();
    notices.addAll(decision.notices());
    last = decision;
    return decision;
  }

  /** Every target that can be reached does what the last decision says. */
  void act() {
    var decision = requireNonNull(last);
    targets.values().forEach(target -> target.obey(decision.desired().of(target.observed())));
  }

  /** Decides, acts, and decides again with what follows from it. */
  ChartRolloutPhase settle() {
    decide();
    act();
    decide();
    return phase();
  }

  void pass(Duration time) {
    now = now.plus(time);
    real = real.plus(time);
    nanos += time.toNanos();
  }

  /** Time goes by in small steps, as requeues would have it. */
  ChartRolloutPhase after(Duration time) {
    var step = Duration.ofSeconds(10);
    for (var left = time; left.isPositive(); left = left.minus(step)) {
      pass(left.compareTo(step) < 0 ? left : step);
      settle();
    }
    return phase();
  }

  /** Until it ends, or nothing moves any more for two hours. */
  ChartRolloutPhase finish() {
    var settled = settle();
    for (int i = 0; i < 720 && !settled.isFinal(); i++) {
      settled = after(Duration.ofSeconds(10));
    }
    return settled;
  }

  void restart() {
    memory = DeciderMemory.EMPTY;
  }

  ChartRolloutPhase phase() {
    return requireNonNull(status.phase());
  }

  @Nullable ChartRolloutPhase phaseOrNull() {
    return status.phase();
  }

  WaveStatus wave(String name) {
    return status.waves().stream().filter(it -> it.name().equals(name)).findFirst().orElseThrow();
  }

  List<String> events() {
    return notices.stream().map(RolloutNotice::reason).map(EventReason::value).toList();
  }

  String desired(SimulatedTarget target) {
    return switch (requireNonNull(last).desired().of(target.observed()).desired()) {
      case Desired.Use(Revision revision) -> revision.name();
      case Desired.Stay(StayReason reason) -> "stay: " + reason;
    };
  }

  long on(String revision) {
    return targets.values().stream().filter(it -> revision.equals(it.revision)).count();
  }

  long onInRing(String revision, String ring) {
    return targets.values().stream()
        .filter(it -> revision.equals(it.revision) && ring.equals(it.clusterLabels.get("ring")))
        .count();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.util.Objects.requireNonNull;

import io.krypton.multicluster.cluster.ClusterName;
import io.krypton.operator.classes.decide.DesiredRevision.Desired;
import io.krypton.operator.classes.decide.DesiredRevision.Revision;
import io.krypton.operator.classes.decide.DesiredRevision.TargetDecision;
import io.krypton.operator.classes.decide.ObservedTarget.Health;
import io.krypton.operator.classes.decide.ObservedTarget.OnCluster;
import io.krypton.operator.classes.decide.ObservedTarget.Placement;
import io.krypton.operator.classes.decide.ObservedTarget.Readiness;
import io.krypton.operator.classes.decide.ObservedTarget.Wishes;
import io.krypton.operator.namespace.Owner.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** One target of a simulation; its ring is a label of its cluster, its tier one of its own. */
final class SimulatedTarget {
  final TargetKey key;
  final Map<String, String> labels = new HashMap<>();
  final Map<String, String> clusterLabels = new HashMap<>();
  private final RolloutSimulation simulation;
  boolean deleting;
  boolean suspended;
  @Nullable String pin;
  boolean promoted;
  boolean reachable = true;
  boolean kmsDegraded;
  boolean stalled;
  boolean current = true;
  @Nullable String revision;
  Instant arrivedAt = Instant.EPOCH;
  Instant updatedAt = Instant.EPOCH;
  @Nullable Instant readyAt;
  @Nullable Instant notReadySince;
  int timesMoved;

  SimulatedTarget(RolloutSimulation simulation, String name, String ring) {
    this.simulation = simulation;
    key = new TargetKey(new ClusterName("edge-" + ring), Kind.TENANT, "team", name);
    clusterLabels.put("ring", ring);
    notReadySince = simulation.now;
  }

  boolean isReady() {
    return readyAt != null && !readyAt.isAfter(simulation.real);
  }

  /** Helm runs for another revision; it is not ready from now on, unless it was not before. */
  void put(String hash, Instant when) {
    if (notReadySince == null || isReady()) {
      notReadySince = when;
    }
    revision = hash;
    arrivedAt = when;
    update(when);
    timesMoved++;
  }

  /** Helm runs for other values of the same revision. */
  void update(Instant when) {
    updatedAt = when;
    current = true;
    stalled = false;
    readyAt =
        simulation.neverReady.contains(revision + "/" + key.name())
                || simulation.neverReady.contains(String.valueOf(revision))
            ? null
            : simulation.real.plus(RolloutSimulation.READY_AFTER);
  }

  /** Its pods fail. */
  void breakDown() {
    if (isReady()) {
      notReadySince = simulation.now;
    }
    readyAt = null;
  }

  void recover() {
    readyAt = simulation.real;
  }

  void obey(TargetDecision decision) {
    if (!reachable || !(decision.desired() instanceof Desired.Use(Revision which))) {
      return;
    }
    var hash =
        switch (which) {
          case TARGET -> RolloutSimulation.TARGET;
          case STABLE -> RolloutSimulation.STABLE;
          case PIN -> "pin";
        };
    if (!hash.equals(revision)) {
      put(hash, simulation.now);
    }
  }

  ObservedTarget observed() {
    var health = isReady() ? Health.READY : stalled ? Health.STALLED : Health.NOT_READY;
    return new ObservedTarget(
        key,
        labels,
        new Wishes(deleting, suspended, pin, promoted),
        new OnCluster(clusterLabels, reachable, kmsDegraded),
        revision == null ? null : new Placement(revision, arrivedAt, updatedAt, current),
        new Readiness(
            health,
            health == Health.READY ? null : requireNonNull(notReadySince),
            health == Health.READY ? "" : "WorkloadsNotReady"));
  }

  Duration sinceArrival() {
    return Duration.between(arrivedAt, simulation.now);
  }
}

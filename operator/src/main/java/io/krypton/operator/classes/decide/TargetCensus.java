// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.chartrollout.ChartRolloutStatus.TargetFailure;
import io.krypton.api.tenantclass.TenantClassStatus.Counts;
import io.krypton.operator.classes.decide.DeciderMemory.Flight;
import io.krypton.operator.classes.decide.TargetAssessment.Standing;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** All targets of a class, gone through once. */
final class TargetCensus {
  private static final int LONGEST_REASON = 64;

  private final RolloutInput input;
  private final WavePlan plan;
  private final RolloutCursor cursor;
  private final TargetAssessment assessment;
  private final List<WaveTally> waves = new ArrayList<>();
  private final Map<TargetKey, Flight> flights = new HashMap<>();
  private final Set<TargetKey> onTheirWay = new HashSet<>();
  private final FirstFailures failures = new FirstFailures(ChartRolloutStatus.MOST_FAILURES);
  private final FirstFailures alreadyFailing =
      new FirstFailures(ChartRolloutStatus.MOST_ALREADY_FAILING);
  private final Map<Count, Integer> counts = new EnumMap<>(Count.class);
  private boolean rollingBack;
  private @Nullable Duration longestFlight;

  TargetCensus(
      RolloutInput input, WavePlan plan, RolloutCursor cursor, TargetAssessment assessment) {
    this.input = input;
    this.plan = plan;
    this.cursor = cursor;
    this.assessment = assessment;
    for (int i = 0; i < plan.size(); i++) {
      waves.add(new WaveTally(plan.wave(i).maxConcurrent()));
    }
  }

  private enum Count {
    TARGETS,
    ON_STABLE,
    ON_TARGET,
    PINNED,
    SUSPENDED,
    FAILED,
    UNREACHABLE
  }

  void take(Iterable<ObservedTarget> targets, DeciderMemory memory, Duration passed) {
    rollingBack = cursor.isRollingBack();
    for (var target : targets) {
      if (!target.wishes().deleting()) {
        add(target, memory.flights().get(target.key()), passed);
      }
    }
  }

  private void add(ObservedTarget target, @Nullable Flight before, Duration passed) {
    int wave = plan.waveOf(target);
    var flight = assessment.flight(target, before, passed);
    var standing = assessment.assess(target, wave, flight);
    var isOnTarget = target.isOn(input.toRevision());
    waves
        .get(wave)
        .add(
            standing,
            assessment.state(target, wave, standing),
            isOnTarget && standing != Standing.SKIPPED);
    if (flight != null && !isCutOff(target, standing)) {
      remember(target, standing, flight);
    }
    switch (standing) {
      case WAITING -> waves.get(wave).addCandidate(target, assessment.isHeld(target));
      case FAILED -> failures.add(target);
      case ALREADY_FAILING -> alreadyFailing.add(target);
      default -> {}
    }
    count(target, standing, isOnTarget);
  }

  /** Its slot is free, so it needs another one when its cluster is back. */
  private boolean isCutOff(ObservedTarget target, Standing standing) {
    return standing == Standing.UNREACHABLE && !target.isOn(assessment.destination());
  }

  private void remember(ObservedTarget target, Standing standing, Flight flight) {
    flights.put(target.key(), flight);
    if (!target.isOn(assessment.destination())) {
      onTheirWay.add(target.key());
    }
    if (standing == Standing.IN_FLIGHT
        && flight.counting()
        && (longestFlight == null || flight.elapsed().compareTo(longestFlight) > 0)) {
      longestFlight = flight.elapsed();
    }
  }

  private void count(ObservedTarget target, Standing standing, boolean isOnTarget) {
    add(Count.TARGETS, true);
    add(Count.ON_STABLE, target.isOn(input.fromRevision()));
    add(Count.ON_TARGET, isOnTarget);
    add(Count.PINNED, target.wishes().pin() != null);
    add(Count.SUSPENDED, target.wishes().suspended());
    add(Count.FAILED, standing == Standing.FAILED || standing == Standing.ALREADY_FAILING);
    add(Count.UNREACHABLE, !target.cluster().reachable());
  }

  private void add(Count what, boolean holds) {
    if (holds) {
      counts.merge(what, 1, Integer::sum);
    }
  }

  /** The direction in which the targets were looked at. */
  boolean isRollingBack() {
    return rollingBack;
  }

  WaveTally wave(int index) {
    return waves.get(index);
  }

  Map<TargetKey, Flight> flights() {
    return flights;
  }

  /** This target is told to update. */
  void begin(TargetKey target) {
    flights.put(target, Flight.BEGUN);
  }

  /** Who was told to update and is not seen there is no longer told so. */
  void forgetAdmitted() {
    onTheirWay.forEach(flights::remove);
  }

  /** The rollout turns around; nobody is on the way back yet. */
  void forgetFlights() {
    flights.clear();
    longestFlight = null;
  }

  /** How long until the next target that is under way has failed; null if none is. */
  @Nullable Duration untilNextDeadline(Duration deadline) {
    if (longestFlight == null) {
      return null;
    }
    // One more, since a target has failed only beyond its deadline.
    return deadline.minus(longestFlight).plusMillis(1);
  }

  List<TargetFailure> failures() {
    return failures.list();
  }

  List<TargetFailure> alreadyFailing() {
    return alreadyFailing.list();
  }

  Counts counts() {
    return new Counts(
        count(Count.TARGETS),
        count(Count.ON_STABLE),
        count(Count.ON_TARGET),
        count(Count.PINNED),
        count(Count.SUSPENDED),
        count(Count.FAILED),
        count(Count.UNREACHABLE));
  }

  private int count(Count what) {
    return counts.getOrDefault(what, 0);
  }

  /** The first few by name, so that the same state gives the same list. */
  private static final class FirstFailures {
    private static final Comparator<ObservedTarget> BY_KEY =
        Comparator.comparing(ObservedTarget::key);

    private final TreeSet<ObservedTarget> first = new TreeSet<>(BY_KEY);
    private final int most;

    FirstFailures(int most) {
      this.most = most;
    }

    void add(ObservedTarget target) {
      first.add(target);
      if (first.size() > most) {
        first.pollLast();
      }
    }

    List<TargetFailure> list() {
      return first.stream().map(FirstFailures::failure).toList();
    }

    private static TargetFailure failure(ObservedTarget target) {
      var reason = target.readiness().reason();
      @Nullable Instant since = target.readiness().notReadySince();
      return new TargetFailure(
          target.key().cluster().value(),
          target.key().object(),
          reason.substring(0, Math.min(reason.length(), LONGEST_REASON)),
          since);
    }
  }
}

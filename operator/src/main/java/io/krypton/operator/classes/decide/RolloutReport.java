// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import static java.util.Objects.requireNonNullElse;

import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutConditionTypes;
import io.krypton.api.chartrollout.ChartRolloutStatus.ChartRolloutReasons;
import io.krypton.api.chartrollout.ChartRolloutStatus.WaveStatus;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.operator.classes.decide.RolloutDecision.RolloutNotice;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Puts a decision into words: the status with its conditions, and events on transitions. */
final class RolloutReport {
  private final RolloutInput input;
  private final WavePlan plan;
  private final RolloutCursor cursor;
  private final Windows windows;
  private final Instant now;
  private final @Nullable ChartRolloutPhase phaseBefore;
  private final @Nullable Instant startedBefore;
  private final List<RolloutNotice> notices = new ArrayList<>();
  private final List<RolloutNotice> passed = new ArrayList<>();
  private String failure = "";

  RolloutReport(
      RolloutInput input, WavePlan plan, RolloutCursor cursor, Windows windows, Instant now) {
    this.input = input;
    this.plan = plan;
    this.cursor = cursor;
    this.windows = windows;
    this.now = now;
    phaseBefore = input.status().phase();
    startedBefore = input.status().startedAt();
  }

  void retried() {
    tell(EventReason.ROLLOUT_RETRIED, "retried in " + where());
  }

  void wavePassed(int wave) {
    if (plan.wave(wave).approval()) {
      passed.add(
          new RolloutNotice(EventReason.ROLLOUT_APPROVED, plan.describe(wave) + " is approved"));
    }
    passed.add(
        new RolloutNotice(EventReason.ROLLOUT_WAVE_COMPLETED, plan.describe(wave) + " has passed"));
  }

  void tooManyFailed(int wave, Budget budget) {
    failure =
        "more releases of %s failed than maxFailures (%s) allows"
            .formatted(plan.describe(wave), budget);
  }

  RolloutDecision decision(
      TargetCensus census,
      DeciderMemory memory,
      DesiredRevision desired,
      List<TargetKey> admitted,
      boolean waveMoved,
      @Nullable Duration requeueAfter,
      boolean tooManyFailed) {
    var degraded = degraded(census, tooManyFailed);
    tellTransitions();
    var isRolledBack = cursor.phase() == ChartRolloutPhase.ROLLED_BACK;
    return new RolloutDecision(
        status(census, degraded),
        memory,
        desired,
        admitted,
        waveMoved,
        notices,
        requeueAfter,
        isRolledBack && !input.isTakenBack() && isFailure(degraded),
        input.asksForRetry() && (isRolledBack || cursor.phase() == ChartRolloutPhase.ABORTED),
        census.counts(),
        states(census));
  }

  private static boolean isFailure(Condition degraded) {
    return degraded.reason().equals(ChartRolloutReasons.TOO_MANY_FAILED);
  }

  private ChartRolloutStatus status(TargetCensus census, Condition degraded) {
    var before = input.status();
    if (phaseBefore != null && phaseBefore.isFinal()) {
      return before; // It is history, whatever becomes of its releases.
    }
    int updated = 0;
    int total = 0;
    int failed = 0;
    var waves = new ArrayList<WaveStatus>();
    for (int i = 0; i < plan.size(); i++) {
      var tally = census.wave(i);
      var times = cursor.times(i);
      updated += tally.updated();
      total += tally.total();
      failed += tally.failed();
      waves.add(
          new WaveStatus(
              plan.name(i),
              tally.total(),
              tally.updated(),
              tally.ready(),
              tally.failed(),
              tally.unreachable(),
              tally.skipped(),
              times.startedAt(),
              times.readySince(),
              times.soakedOrNull(),
              times.endedAt()));
    }
    return new ChartRolloutStatus(
        before.observedGeneration(),
        cursor.phase(),
        plan.name(cursor.wave()),
        cursor.rollbackStartedAt(),
        updated + "/" + total,
        failed,
        cursor.startedAt(),
        cursor.completedAt(),
        cursor.retriedAt(),
        handledRetry(),
        waves,
        census.failures(),
        census.alreadyFailing(),
        before.plan(),
        conditions(degraded));
  }

  /** A retry that comes too early, in a rollback, is heeded at its end; then by a new rollout. */
  private @Nullable String handledRetry() {
    var isEarly = cursor.isRollingBack() || cursor.phase().isFinal();
    return isEarly || input.retryAt() == null
        ? input.status().lastHandledRetryAt()
        : input.retryAt();
  }

  private List<Condition> conditions(Condition degraded) {
    var phase = cursor.phase();
    var goesOn =
        switch (phase) {
          case PENDING, PROGRESSING, SOAKING, ROLLING_BACK -> true;
          case PLANNED,
              AWAITING_APPROVAL,
              PAUSED,
              HALTED,
              ROLLED_BACK,
              COMPLETED,
              SUPERSEDED,
              ABORTED ->
              false;
        };
    var message = message();
    return List.of(
        dated(ChartRolloutConditionTypes.PROGRESSING, goesOn, reason(phase), message),
        ConditionList.withTransitionTime(degraded, input.status().conditions(), now),
        dated(
            ChartRolloutConditionTypes.COMPLETE,
            phase == ChartRolloutPhase.COMPLETED,
            reason(phase),
            message));
  }

  private Condition dated(String type, boolean holds, String reason, String message) {
    var status = holds ? ConditionStatus.TRUE : ConditionStatus.FALSE;
    var condition = Condition.of(type, status, reason, message);
    return ConditionList.withTransitionTime(condition, input.status().conditions(), now);
  }

  private Condition degraded(TargetCensus census, boolean tooManyFailed) {
    var stored =
        ConditionList.find(input.status().conditions(), ChartRolloutConditionTypes.DEGRADED);
    if (tooManyFailed) {
      return degraded(ConditionStatus.TRUE, ChartRolloutReasons.TOO_MANY_FAILED, failure);
    }
    if (stored.isPresent() && isFailure(stored.get()) && keepsFailure()) {
      return degraded(ConditionStatus.TRUE, stored.get().reason(), stored.get().message());
    }
    var tally = census.wave(cursor.wave());
    var budget = Budget.of(input.spec().maxUnreachable());
    var waits =
        cursor.phase() == ChartRolloutPhase.PROGRESSING
            && tally.isSettled()
            && tally.unreachable() > budget.of(tally.total());
    if (waits) {
      return degraded(
          ConditionStatus.TRUE,
          ChartRolloutReasons.TOO_MANY_UNREACHABLE,
          "more releases of %s are on clusters that do not answer than maxUnreachable (%s) allows"
              .formatted(where(), budget));
    }
    return degraded(ConditionStatus.FALSE, ChartRolloutReasons.WITHIN_BUDGET, "");
  }

  private static Condition degraded(ConditionStatus status, String reason, String message) {
    return Condition.of(ChartRolloutConditionTypes.DEGRADED, status, reason, message);
  }

  /** What was found stands while nothing is counted against the budget. */
  private boolean keepsFailure() {
    return cursor.isRollingBack()
        || cursor.phase().isFinal()
        || cursor.phase() == ChartRolloutPhase.HALTED
        || cursor.phase() == ChartRolloutPhase.PAUSED;
  }

  private static String reason(ChartRolloutPhase phase) {
    return switch (phase) {
      case PLANNED -> ChartRolloutReasons.PLANNED;
      case PENDING -> ChartRolloutReasons.PENDING;
      case PROGRESSING -> ChartRolloutReasons.PROGRESSING;
      case SOAKING -> ChartRolloutReasons.SOAKING;
      case AWAITING_APPROVAL -> ChartRolloutReasons.AWAITING_APPROVAL;
      case PAUSED -> ChartRolloutReasons.PAUSED;
      case HALTED -> ChartRolloutReasons.HALTED;
      case ROLLING_BACK -> ChartRolloutReasons.ROLLING_BACK;
      case ROLLED_BACK -> ChartRolloutReasons.ROLLED_BACK;
      case COMPLETED -> ChartRolloutReasons.COMPLETED;
      case SUPERSEDED -> ChartRolloutReasons.SUPERSEDED;
      case ABORTED -> ChartRolloutReasons.ABORTED;
    };
  }

  private String where() {
    return plan.describe(cursor.wave());
  }

  private String message() {
    return switch (cursor.phase()) {
      case PLANNED -> "nothing is updated until spec.run is Running";
      case PENDING -> where() + " waits for a window" + opening();
      case PROGRESSING -> where();
      case SOAKING -> where() + " must stay ready until " + soakEnd();
      case AWAITING_APPROVAL -> where() + " waits for a RolloutApproval";
      case PAUSED -> "paused in " + where();
      case HALTED -> "halted in " + where() + ": " + why();
      case ROLLING_BACK -> where() + " goes back to " + stable();
      case ROLLED_BACK -> "rolled back to " + stable();
      case COMPLETED -> "all waves have passed";
      case SUPERSEDED -> "the class changed in " + where();
      case ABORTED -> "aborted in " + where() + "; releases stay where they are";
    };
  }

  private String opening() {
    var opens = windows.opensAt(now);
    return opens == null ? "; none opens within a year" : ", which opens at " + opens;
  }

  private String soakEnd() {
    var since = cursor.times(cursor.wave()).readySince();
    return requireNonNullElse(since, now).plus(plan.wave(cursor.wave()).soak()).toString();
  }

  private String why() {
    return failure.isEmpty()
        ? ConditionList.find(input.status().conditions(), ChartRolloutConditionTypes.DEGRADED)
            .map(Condition::message)
            .orElse("")
        : failure;
  }

  private String stable() {
    var from = input.spec().from();
    return from == null
        ? "the stable revision"
        : "%s (revision %d)".formatted(from.version(), from.revision());
  }

  private void tellTransitions() {
    var phase = cursor.phase();
    if (startedBefore == null && cursor.startedAt() != null) {
      var to = input.spec().to();
      notices.addFirst(
          new RolloutNotice(
              EventReason.ROLLOUT_STARTED,
              "from %s to %s (revision %d)".formatted(stable(), to.version(), to.revision())));
    }
    if (phaseBefore == ChartRolloutPhase.PAUSED
        && phase != ChartRolloutPhase.PAUSED
        && !phase.isFinal()) {
      tell(EventReason.ROLLOUT_RESUMED, "resumed in " + where());
    }
    notices.addAll(passed);
    var soaksAnotherWave = phase == ChartRolloutPhase.SOAKING && !passed.isEmpty();
    if (phase == phaseBefore && !soaksAnotherWave) {
      return;
    }
    switch (phase) {
      case SOAKING -> tell(EventReason.ROLLOUT_SOAKING, message());
      case AWAITING_APPROVAL -> tell(EventReason.ROLLOUT_AWAITING_APPROVAL, message());
      case PAUSED -> tell(EventReason.ROLLOUT_PAUSED, message());
      case HALTED -> tell(EventReason.ROLLOUT_HALTED, message());
      case ROLLING_BACK ->
          tell(
              EventReason.ROLLOUT_ROLLING_BACK,
              "back to " + stable() + (input.isTakenBack() ? ", as the class asks" : ": " + why()));
      case ROLLED_BACK -> tell(EventReason.ROLLOUT_ROLLED_BACK, message());
      case COMPLETED -> tell(EventReason.ROLLOUT_COMPLETED, message());
      case SUPERSEDED -> tell(EventReason.ROLLOUT_SUPERSEDED, message());
      case ABORTED -> tell(EventReason.ROLLOUT_ABORTED, message());
      case PLANNED, PENDING, PROGRESSING -> {}
    }
  }

  private void tell(EventReason reason, String message) {
    notices.add(new RolloutNotice(reason, message));
  }

  private Map<String, Map<RolloutTargetState, Integer>> states(TargetCensus census) {
    var states = new LinkedHashMap<String, Map<RolloutTargetState, Integer>>();
    for (int i = 0; i < plan.size(); i++) {
      states.put(plan.name(i), census.wave(i).states());
    }
    return states;
  }
}

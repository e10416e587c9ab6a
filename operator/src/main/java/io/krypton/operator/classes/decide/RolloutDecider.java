// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.chartrollout.ChartRolloutPhase;
import io.krypton.api.chartrollout.ChartRolloutSpec.Run;
import io.krypton.api.tenantclass.RolloutPolicy.OnFailure;
import io.krypton.operator.classes.decide.DeciderMemory.ClockReading;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Moves one rollout from wave to wave; see DESIGN.md for the states. Each decision goes through the
 * targets once, whatever their number, and does not sort them.
 */
public final class RolloutDecider {
  private static final Duration LONGEST_STEP = Duration.ofMinutes(1);
  private static final Duration SHORTEST_STEP = Duration.ofMillis(500);
  private static final int STEPS = 60;

  private final RolloutInput input;
  private final DeciderMemory memory;
  private final Instant now;
  private final Duration passed;
  private final WavePlan plan;
  private final RolloutCursor cursor;
  private final TargetAssessment assessment;
  private final Windows windows;
  private final boolean open;
  private final RolloutReport report;
  private final TargetCensus census;
  private Duration soaked = Duration.ZERO;
  private boolean tooManyFailed;

  private RolloutDecider(RolloutInput input, DeciderMemory memory, ClockReading clock) {
    this.input = input;
    this.memory = memory;
    now = clock.now();
    passed = memory.since(clock);
    plan = WavePlan.of(input.spec().className(), input.name(), input.spec().policy());
    cursor = new RolloutCursor(plan, input.status());
    assessment = new TargetAssessment(input, cursor, now);
    windows = Windows.of(input.spec().windows());
    open = windows.isOpen(now);
    report = new RolloutReport(input, plan, cursor, windows, now);
    census = new TargetCensus(input, plan, cursor, assessment);
  }

  /**
   * The next status, and who may update.
   *
   * @param targets all of the class, also those that are pinned or suspended
   */
  public static RolloutDecision decide(
      RolloutInput input,
      Iterable<ObservedTarget> targets,
      DeciderMemory memory,
      ClockReading clock) {
    return new RolloutDecider(input, memory, clock).decide(targets, clock.nanos());
  }

  private RolloutDecision decide(Iterable<ObservedTarget> targets, long nanos) {
    int waveBefore = cursor.wave();
    var phaseBefore = cursor.phase();
    var forget = heed();
    census.take(targets, forget ? DeciderMemory.EMPTY : memory, passed);
    measureSoak();
    switch (cursor.phase()) {
      case PENDING, PROGRESSING, SOAKING, AWAITING_APPROVAL -> goForward();
      case ROLLING_BACK -> goBack();
      case PLANNED, PAUSED, HALTED, COMPLETED, ROLLED_BACK, SUPERSEDED, ABORTED -> {}
    }
    var admitted = admit();
    var next =
        new DeciderMemory(
            census.flights(),
            cursor.times(cursor.wave()).readySince() == null ? null : plan.name(cursor.wave()),
            soaked,
            nanos);
    var moved = cursor.wave() != waveBefore || cursor.phase() != phaseBefore;
    return report.decision(
        census,
        next,
        new DesiredRevision(input, plan, cursor, assessment, next, open),
        admitted,
        moved,
        requeueAfter(admitted),
        tooManyFailed);
  }

  /** What people ask. True if the targets that are under way begin anew. */
  private boolean heed() {
    if (cursor.phase().isFinal()) {
      return false;
    }
    if (input.spec().run() == Run.ABORTED) {
      cursor.end(ChartRolloutPhase.ABORTED, now);
      return true;
    }
    if (input.isSuperseded()) {
      cursor.end(ChartRolloutPhase.SUPERSEDED, now);
      return true;
    }
    if (input.isTakenBack() && cursor.phase() == ChartRolloutPhase.PLANNED) {
      cursor.end(ChartRolloutPhase.SUPERSEDED, now);
      return true;
    }
    var forget = false;
    if (input.isTakenBack() && !cursor.isRollingBack()) {
      cursor.startRollback(now);
      cursor.become(ChartRolloutPhase.ROLLING_BACK);
      forget = true;
    }
    if (input.asksForRetry() && cursor.phase() == ChartRolloutPhase.HALTED) {
      cursor.retry(now);
      cursor.become(ChartRolloutPhase.PROGRESSING);
      report.retried();
      forget = true;
    }
    heedRun();
    return forget;
  }

  private void heedRun() {
    var hasBegun = cursor.startedAt() != null || cursor.isRollingBack();
    switch (input.spec().run()) {
      case PLANNED ->
          cursor.become(hasBegun ? ChartRolloutPhase.PAUSED : ChartRolloutPhase.PLANNED);
      case PAUSED -> {
        if (cursor.phase() != ChartRolloutPhase.HALTED) {
          cursor.become(ChartRolloutPhase.PAUSED);
        }
      }
      case RUNNING -> {
        if (cursor.phase() == ChartRolloutPhase.PAUSED
            || cursor.phase() == ChartRolloutPhase.PLANNED) {
          cursor.become(
              cursor.isRollingBack()
                  ? ChartRolloutPhase.ROLLING_BACK
                  : ChartRolloutPhase.PROGRESSING);
        }
      }
      case ABORTED -> {}
    }
  }

  /**
   * A soak is over when both clocks say so: the time of day, which survives a restart, and the time
   * that was watched, which nobody can set; that is stored in steps.
   */
  private void measureSoak() {
    var times = cursor.times(cursor.wave());
    if (times.readySince() == null || times.endedAt() != null || cursor.isRollingBack()) {
      return;
    }
    soaked = times.soaked();
    if (plan.name(cursor.wave()).equals(memory.soakingWave())) {
      soaked = memory.soaked().plus(passed);
    }
    var soak = plan.wave(cursor.wave()).soak();
    var shown = soaked.compareTo(soak) < 0 ? soaked : soak;
    var step = stepOf(soak);
    var since = times.readySince().isAfter(now) ? now.minus(soaked) : times.readySince();
    cursor.waveHasSoaked(since, step.multipliedBy(shown.dividedBy(step)));
  }

  private static Duration stepOf(Duration soak) {
    var step = soak.dividedBy(STEPS);
    if (step.compareTo(SHORTEST_STEP) < 0) {
      return SHORTEST_STEP;
    }
    return step.compareTo(LONGEST_STEP) < 0 ? step : LONGEST_STEP;
  }

  private void goForward() {
    while (true) {
      if (hasFailed()) {
        fail();
        return;
      }
      int wave = cursor.wave();
      if (cursor.times(wave).startedAt() == null) {
        if (!open) {
          cursor.become(ChartRolloutPhase.PENDING);
          return;
        }
        cursor.startWave(now);
      }
      var tally = census.wave(wave);
      if (cursor.times(wave).readySince() == null) {
        if (!isReady(tally)) {
          var waits = !open && tally.inFlight() == 0 && tally.waiting() > 0;
          cursor.become(waits ? ChartRolloutPhase.PENDING : ChartRolloutPhase.PROGRESSING);
          return;
        }
        cursor.waveIsReady(now);
        soaked = Duration.ZERO;
      }
      if (tally.total() > 0 && !soakLeft().isZero()) {
        cursor.become(ChartRolloutPhase.SOAKING);
        return;
      }
      if (plan.wave(wave).approval() && !input.approvedWaves().contains(plan.name(wave))) {
        cursor.become(ChartRolloutPhase.AWAITING_APPROVAL);
        return;
      }
      report.wavePassed(wave);
      if (!cursor.passWave(now)) {
        cursor.end(ChartRolloutPhase.COMPLETED, now);
        return;
      }
    }
  }

  private boolean isReady(WaveTally tally) {
    return tally.isSettled() && tally.unreachable() <= unreachableBudget(tally);
  }

  private int unreachableBudget(WaveTally tally) {
    return Budget.of(input.spec().maxUnreachable()).of(tally.total());
  }

  /** In a wave that has passed, too: who joins it later, or comes back, counts there. */
  private boolean hasFailed() {
    var budget = Budget.of(input.spec().maxFailures());
    for (int i = 0; i <= cursor.wave(); i++) {
      if (census.wave(i).failed() > budget.of(census.wave(i).total())) {
        tooManyFailed = true;
        report.tooManyFailed(i, budget);
      }
    }
    return tooManyFailed && input.spec().onFailure() != OnFailure.CONTINUE;
  }

  private void fail() {
    if (input.spec().onFailure() == OnFailure.ROLLBACK && input.fromRevision() != null) {
      census.forgetFlights();
      cursor.startRollback(now);
      cursor.become(ChartRolloutPhase.ROLLING_BACK);
    } else {
      census.forgetAdmitted();
      cursor.become(ChartRolloutPhase.HALTED);
    }
  }

  private void goBack() {
    while (census.wave(cursor.wave()).isSettled()) {
      if (!cursor.passWaveBackwards()) {
        cursor.end(ChartRolloutPhase.ROLLED_BACK, now);
        return;
      }
    }
  }

  private List<TargetKey> admit() {
    var admitted = new ArrayList<TargetKey>();
    if (mayAnybodyBegin()) {
      for (int i = 0; i < plan.size(); i++) {
        admitted.addAll(census.wave(i).admit(mayWaveBegin(i)));
      }
    }
    admitted.forEach(census::begin);
    return admitted;
  }

  /** A pass that turns around or stops must not send anybody off in the former direction. */
  private boolean mayAnybodyBegin() {
    return census.isRollingBack() == cursor.isRollingBack()
        && switch (cursor.phase()) {
          case PENDING,
              PROGRESSING,
              SOAKING,
              AWAITING_APPROVAL,
              COMPLETED,
              ROLLING_BACK,
              ROLLED_BACK ->
              true;
          case PAUSED -> !cursor.isRollingBack();
          case PLANNED, HALTED, SUPERSEDED, ABORTED -> false;
        };
  }

  /** Else only who was promoted. */
  private boolean mayWaveBegin(int wave) {
    if (cursor.phase() == ChartRolloutPhase.PAUSED) {
      return false;
    }
    if (cursor.isRollingBack()) {
      return wave == cursor.wave() || cursor.hasPassed(wave);
    }
    return open
        && (cursor.hasPassed(wave)
            || (wave == cursor.wave() && cursor.times(wave).startedAt() != null));
  }

  /** How long the wave must still stay ready. */
  private Duration soakLeft() {
    var since = cursor.times(cursor.wave()).readySince();
    var soak = plan.wave(cursor.wave()).soak();
    if (since == null || soak.isZero()) {
      return Duration.ZERO;
    }
    var byDay = Duration.between(now, since.plus(soak));
    var watched = soak.minus(soaked);
    var left = byDay.compareTo(watched) > 0 ? byDay : watched;
    return left.isNegative() ? Duration.ZERO : left;
  }

  private @Nullable Duration requeueAfter(List<TargetKey> admitted) {
    if (census.isRollingBack() != cursor.isRollingBack()) {
      return Duration.ZERO;
    }
    @Nullable Duration soonest = null;
    if (cursor.phase() == ChartRolloutPhase.SOAKING) {
      soonest = earlier(soakLeft(), stepOf(plan.wave(cursor.wave()).soak()));
    }
    if (!cursor.phase().isFinal() || !census.flights().isEmpty()) {
      var change = windows.nextChange(now);
      if (change != null) {
        soonest = earlier(Duration.between(now, change), soonest);
      }
    }
    var deadline = input.spec().progressDeadline().value();
    var left = census.untilNextDeadline(deadline);
    if (left == null && !admitted.isEmpty()) {
      left = deadline;
    }
    return left == null ? soonest : earlier(left, soonest);
  }

  private static Duration earlier(Duration one, @Nullable Duration other) {
    return other == null || one.compareTo(other) < 0 ? one : other;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.operator.classes.decide.DeciderMemory.Flight;
import io.krypton.operator.classes.decide.ObservedTarget.Health;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** How one target stands in a rollout, by what is observed and by how long it is under way. */
final class TargetAssessment {
  private final RolloutInput input;
  private final RolloutCursor cursor;
  private final Duration deadline;
  private final Instant now;

  TargetAssessment(RolloutInput input, RolloutCursor cursor, Instant now) {
    this.input = input;
    this.cursor = cursor;
    this.deadline = input.spec().progressDeadline().value();
    this.now = now;
  }

  /** Where a target stands. */
  enum Standing {
    /** Being deleted, or on another way than the rollout; not counted. */
    SKIPPED(RolloutTargetState.SUSPENDED),
    /** Not installed yet, which waits for no wave; counted once it is. */
    NEW(RolloutTargetState.WAITING),
    /** Not told to update. */
    WAITING(RolloutTargetState.WAITING),
    /** Not known to be ready, and its cluster does not answer. */
    UNREACHABLE(RolloutTargetState.UNREACHABLE),
    /** Told to update and not ready, within its deadline. */
    IN_FLIGHT(RolloutTargetState.UPDATING),
    READY(RolloutTargetState.DONE),
    /** Was ready when its wave was, and is not any more for a reason of its own. */
    DEGRADED_LATER(RolloutTargetState.DONE),
    FAILED(RolloutTargetState.FAILED),
    /** Not ready, as it was before it was told to update. */
    ALREADY_FAILING(RolloutTargetState.FAILED);

    private final RolloutTargetState state;

    Standing(RolloutTargetState state) {
      this.state = state;
    }

    RolloutTargetState state() {
      return state;
    }
  }

  /** As the status of its object shows it. */
  RolloutTargetState state(ObservedTarget target, int wave, Standing standing) {
    if (target.wishes().pin() != null) {
      return RolloutTargetState.PINNED;
    }
    var soaks =
        standing == Standing.READY
            && wave == cursor.wave()
            && !cursor.isRollingBack()
            && cursor.times(wave).readySince() != null
            && cursor.times(wave).endedAt() == null;
    return soaks ? RolloutTargetState.SOAKING : standing.state();
  }

  /** Whether nothing may be updated on its cluster; a rollback does not wait for that. */
  boolean isHeld(ObservedTarget target) {
    return input.spec().requireKmsHealthy()
        && target.cluster().kmsDegraded()
        && !cursor.isRollingBack();
  }

  /** The revision that targets are brought to: forward, or back. */
  @Nullable String destination() {
    return cursor.isRollingBack() ? input.fromRevision() : input.toRevision();
  }

  /** How long the target is under way; null if it is not. */
  @Nullable Flight flight(ObservedTarget target, @Nullable Flight before, Duration passed) {
    if (target.isSkipped() || (isThere(target) && target.isReady())) {
      return null;
    }
    var reachable = target.cluster().reachable();
    // Before Helm begins, a target may wait for its turn as long as it must: it is ready as it is.
    var counting = reachable && (isThere(target) || target.readiness().health() != Health.READY);
    if (before != null) {
      var counts = before.counting() && counting;
      return new Flight(counts ? before.elapsed().plus(passed) : before.elapsed(), counting);
    }
    if (!isThere(target) || target.placement() == null) {
      return null;
    }
    var begun = latest(target.placement().updatedAt(), cursor.retriedAt());
    var elapsed = reachable ? Duration.between(begun, now) : Duration.ZERO;
    return new Flight(elapsed.isNegative() ? Duration.ZERO : elapsed, counting);
  }

  /** On the destination, by this rollout and not since before it. */
  private boolean isThere(ObservedTarget target) {
    var placement = target.placement();
    return placement != null
        && placement.revision().equals(destination())
        && (cursor.rollbackStartedAt() == null
            || !placement.arrivedAt().isBefore(cursor.rollbackStartedAt()));
  }

  Standing assess(ObservedTarget target, int wave, @Nullable Flight flight) {
    if (target.isSkipped()) {
      return Standing.SKIPPED;
    }
    var there = isThere(target);
    if ((there && target.isReady()) || (!there && target.isOn(destination()))) {
      return Standing.READY; // In the second case a rollback need not touch it.
    }
    if (flight == null && target.placement() == null) {
      return Standing.NEW;
    }
    if (!target.cluster().reachable()) {
      return Standing.UNREACHABLE;
    }
    if (flight == null) {
      return Standing.WAITING;
    }
    if (there && wasThereWhenReady(target, wave)) {
      return afterwards(target, wave, flight);
    }
    return hasFailed(target, flight) ? failed(target, wave) : Standing.IN_FLIGHT;
  }

  private boolean wasThereWhenReady(ObservedTarget target, int wave) {
    var readySince = cursor.times(wave).readySince();
    return !cursor.isRollingBack() && readySince != null && arrivedBefore(target, readySince);
  }

  /**
   * Its wave was ready: what it does to itself by new values, or after the soak, does not count.
   */
  private Standing afterwards(ObservedTarget target, int wave, Flight flight) {
    var times = cursor.times(wave);
    var since = target.readiness().notReadySince();
    if (since != null && isBefore(since, times.readySince())) {
      return hasFailed(target, flight) ? failed(target, wave) : Standing.IN_FLIGHT;
    }
    var placement = target.placement();
    var untouched =
        placement != null
            && placement.current()
            && isBefore(placement.updatedAt(), times.readySince());
    var inSoak = times.endedAt() == null || (since != null && isBefore(since, times.endedAt()));
    return untouched && inSoak ? Standing.FAILED : Standing.DEGRADED_LATER;
  }

  private boolean hasFailed(ObservedTarget target, Flight flight) {
    return flight.elapsed().compareTo(deadline) > 0 || isStalledByNow(target);
  }

  /** What stalled before somebody retried, or before the rollback, has its deadline. */
  private boolean isStalledByNow(ObservedTarget target) {
    var since = target.readiness().notReadySince();
    var from = latest(cursor.retriedAt(), cursor.rollbackStartedAt());
    return target.readiness().health() == Health.STALLED
        && (from == null || (since != null && !since.isBefore(from)));
  }

  /**
   * Not counted if it is not ready since before its wave began, or, if it came to the revision
   * before its wave, since before the rollout began.
   */
  private Standing failed(ObservedTarget target, int wave) {
    var since = target.readiness().notReadySince();
    var begun = cursor.times(wave).startedAt();
    var early = begun == null || (isThere(target) && arrivedBefore(target, begun));
    var from = early ? cursor.startedAt() : begun;
    return since != null && from != null && since.isBefore(from)
        ? Standing.ALREADY_FAILING
        : Standing.FAILED;
  }

  private static boolean arrivedBefore(ObservedTarget target, Instant time) {
    return target.placement() != null && target.placement().arrivedAt().isBefore(time);
  }

  private static boolean isBefore(Instant time, @Nullable Instant other) {
    return other != null && time.isBefore(other);
  }

  private static @Nullable Instant latest(@Nullable Instant one, @Nullable Instant other) {
    if (one == null || other == null) {
      return one == null ? other : one;
    }
    return one.isAfter(other) ? one : other;
  }
}

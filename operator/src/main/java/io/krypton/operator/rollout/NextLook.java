package io.krypton.operator.rollout;

import io.krypton.multicluster.controller.Outcome;
import java.time.Duration;

/** When an object is looked at again after a run of the engine. */
public final class NextLook {
  /** The breaker of a cluster that does not answer needs a few probes to open. */
  private static final Duration OUT_OF_REACH_PAUSE = Duration.ofSeconds(5);

  private NextLook() {}

  /**
   * The outcome of a run.
   *
   * @param interval the pause while nothing is known to be due
   */
  public static Outcome after(Situation situation, Duration interval) {
    return switch (situation) {
      case Situation.Deployed deployed -> Outcome.requeueAfter(interval);
      case Situation.WorkloadsPending pending ->
          Outcome.requeueAfter(sooner(pending.left(), interval));
      case Situation.Blocked(var obstacle, var lookAgain) ->
          Outcome.postpone(lookAgain == null ? interval : sooner(lookAgain, interval));
      case Situation.Failed(var problem, var message) ->
          problem.waitsForNews()
              ? Outcome.requeueAfter(interval)
              : Outcome.retry(problem.word(), message);
      case Situation.Unchecked(var release, var message) -> Outcome.retry("Unchecked", message);
      case Situation.StillLooking stillLooking -> Outcome.postpone(interval);
      case Situation.WaitingForTurn waiting -> Outcome.postpone(interval);
      case Situation.OutOfReach(var message) -> Outcome.postpone(OUT_OF_REACH_PAUSE);
    };
  }

  /** The shorter of two pauses; one that is over already counts as none. */
  public static Duration sooner(Duration one, Duration other) {
    var positive = one.isNegative() ? Duration.ZERO : one;
    return positive.compareTo(other) < 0 ? positive : other;
  }
}

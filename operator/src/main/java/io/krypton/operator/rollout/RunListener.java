package io.krypton.operator.rollout;

import java.time.Duration;

/** Hears of each run about an object that is rolled out, for metrics. */
public interface RunListener {
  /** How a run ended. */
  enum Result {
    NOOP,
    CHANGED,
    WAITING,
    ERROR;

    public static Result of(Situation situation) {
      return switch (situation) {
        case Situation.Deployed(var change, var release) ->
            switch (change) {
              case INSTALLED, UPGRADED -> CHANGED;
              case CONFIRMED, NONE -> NOOP;
            };
        case Situation.WorkloadsPending pending -> WAITING;
        case Situation.Blocked blocked -> WAITING;
        case Situation.Failed failed -> ERROR;
        case Situation.Unchecked unchecked -> ERROR;
        case Situation.StillLooking stillLooking -> WAITING;
        case Situation.WaitingForTurn waiting -> WAITING;
        case Situation.OutOfReach outOfReach -> WAITING;
      };
    }
  }

  void reconciled(String cluster, Result result);

  /**
   * A run has ended, however it ended.
   *
   * @param took how long the run lasted
   */
  void ran(String cluster, Duration took);
}

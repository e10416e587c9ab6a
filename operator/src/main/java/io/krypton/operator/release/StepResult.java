package io.krypton.operator.release;

import io.krypton.operator.release.RolloutResult.ClusterUnreachable;
import io.krypton.operator.release.RolloutResult.Failed;
import io.krypton.operator.release.RolloutResult.FailureReason;
import io.krypton.operator.release.RolloutResult.WaitReason;
import io.krypton.operator.release.RolloutResult.Waiting;
import io.krypton.operator.release.helm.HelmResult;
import java.time.Duration;

/** How one step of a run ended: the run goes on after the first two, the third is its result. */
sealed interface StepResult {

  /** Nothing was done: read the stored revisions and decide again. */
  record DecideAgain() implements StepResult {}

  /** What a Helm operation ends with. */
  sealed interface OperationResult extends StepResult {}

  /** The operation succeeded; the stored revisions show what it changed. */
  record Done() implements OperationResult {}

  record Ended(RolloutResult result) implements OperationResult {}

  /**
   * The one translation of what Helm answers.
   *
   * @param onFailure the reason of a failure that Helm itself reports
   * @throws InterruptedException when Helm was stopped: nobody waits for a result
   */
  static OperationResult of(HelmResult helmResult, FailureReason onFailure)
      throws InterruptedException {
    return switch (helmResult) {
      case HelmResult.Done done -> new Done();
      case HelmResult.Failed(var message) -> new Ended(new Failed(onFailure, message));
      case HelmResult.TimedOut(var limit, var message) ->
          new Ended(
              new Failed(
                  onFailure, "not done within %d s: %s".formatted(limit.toSeconds(), message)));
      case HelmResult.Unusable(var reason) ->
          new Ended(new Failed(FailureReason.HELM_CONFIG_INIT_FAILED, reason));
      case HelmResult.Unreachable(var message) -> new Ended(new ClusterUnreachable(message));
      case HelmResult.Busy busy ->
          new Ended(new Waiting(WaitReason.RELEASE_LOCKED, Duration.ofSeconds(5)));
      case HelmResult.Stopped stopped -> throw new InterruptedException("helm was stopped");
    };
  }
}

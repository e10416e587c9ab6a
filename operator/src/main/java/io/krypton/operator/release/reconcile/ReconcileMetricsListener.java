// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.reconcile;

import io.krypton.operator.release.RolloutResult;
import java.time.Duration;

/** Hears of each run about an object that is rolled out, for metrics. */
public interface ReconcileMetricsListener {
  /** How a run ended. */
  enum Result {
    NOOP,
    CHANGED,
    WAITING,
    ERROR;

    public static Result of(RolloutResult rolloutResult) {
      return switch (rolloutResult) {
        case RolloutResult.Deployed deployed -> deployed.helmRan() ? CHANGED : NOOP;
        case RolloutResult.Refused refused -> ERROR;
        case RolloutResult.Held held -> held.helmRan() ? CHANGED : WAITING;
        case RolloutResult.WorkloadsPending pending -> WAITING;
        case RolloutResult.Waiting blocked -> WAITING;
        case RolloutResult.Failed failed -> ERROR;
        case RolloutResult.InspectionFailed inspectionFailed -> ERROR;
        case RolloutResult.CachesNotSynced cachesNotSynced -> WAITING;
        case RolloutResult.WaitingForHelmSlot waiting -> WAITING;
        case RolloutResult.ClusterUnreachable clusterUnreachable -> WAITING;
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

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cluster;

import java.time.Duration;

/**
 * Prepares a cluster before it counts as engaged, e.g. installs CRDs or starts watches. Runs on its
 * own thread, which is interrupted on timeout and when the cluster is disengaged. An exception
 * makes the cluster unreachable.
 */
public interface EngageStep {
  Result run(EngagedCluster engagedCluster) throws Exception;

  default Duration timeLimit() {
    return Duration.ofSeconds(30);
  }

  /** How a step ended. */
  sealed interface Result {
    record Done() implements Result {}

    /** Done, with a notice for users; {@code reason} is an event reason. */
    record DoneWithNotice(String reason, String message) implements Result {}

    /**
     * Not ready yet; the step is retried on the same cluster with back-off, or as soon as {@link
     * EngagedCluster#retryEngagement} is called. What it has started keeps running.
     */
    record NotYet(String reason, String message) implements Result {}
  }
}

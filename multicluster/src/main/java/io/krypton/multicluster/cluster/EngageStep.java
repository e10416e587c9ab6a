package io.krypton.multicluster.cluster;

import java.time.Duration;

/**
 * Something that must be in place on a cluster before it counts as engaged: definitions, watches.
 * Runs on a thread of its own that is interrupted when its time is up or the cluster is withdrawn.
 * An exception means that the cluster could not be reached.
 */
public interface EngageStep {
  Result run(EngagedCluster engagedCluster) throws Exception;

  default Duration timeLimit() {
    return Duration.ofSeconds(30);
  }

  /** How a step ended. */
  sealed interface Result {
    record Done() implements Result {}

    /** Done, with something that users should know; {@code reason} is a word for an event. */
    record DoneWithNotice(String reason, String message) implements Result {}

    /**
     * Not possible now; the step is tried again on the same cluster after a growing pause, or as
     * soon as {@link EngagedCluster#retryEngagement} is called. What it has started goes on
     * meanwhile.
     */
    record NotYet(String reason, String message) implements Result {}
  }
}

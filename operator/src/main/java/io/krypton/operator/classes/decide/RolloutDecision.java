// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.chartrollout.ChartRolloutStatus;
import io.krypton.api.event.EventReason;
import io.krypton.api.rollout.RolloutTargetState;
import io.krypton.api.tenantclass.TenantClassStatus.Counts;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What follows for a rollout. The status is written before {@link #desired} is acted on; if that
 * fails, all of the decision is dropped, its memory included.
 *
 * @param status the next one; equal to the stored one if nothing is to be written
 * @param memory for the next decision
 * @param admitted who may update from now on, to be enqueued
 * @param waveMoved the cursor moved, so every target of the class is to be enqueued
 * @param requeueAfter when time alone changes something; null if it does not
 * @param refused the target revision is not to be tried again: it was rolled back for its failures
 * @param restart somebody asks to try again what was rolled back or aborted: make a new rollout
 * @param states by wave, for metrics
 */
public record RolloutDecision(
    ChartRolloutStatus status,
    DeciderMemory memory,
    DesiredRevision desired,
    List<TargetKey> admitted,
    boolean waveMoved,
    List<RolloutNotice> notices,
    @Nullable Duration requeueAfter,
    boolean refused,
    boolean restart,
    Counts counts,
    Map<String, Map<RolloutTargetState, Integer>> states) {

  public RolloutDecision {
    admitted = List.copyOf(admitted);
    notices = List.copyOf(notices);
    states = Map.copyOf(states);
  }

  /** An event on the rollout and on its class. */
  public record RolloutNotice(EventReason reason, String message) {}
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.classes.decide;

import io.krypton.api.chartrollout.ChartRolloutSpec;
import io.krypton.api.chartrollout.ChartRolloutStatus;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A rollout as it is stored, and what people ask of it.
 *
 * @param name of the ChartRollout
 * @param wanted hash of the revision that the class asks for now; null if that cannot be told
 * @param approvedWaves names of the waves for which there is a RolloutApproval
 * @param retryAt the annotation {@code mesh.openkcm.io/retryAt}
 */
public record RolloutInput(
    String name,
    ChartRolloutSpec spec,
    ChartRolloutStatus status,
    @Nullable String wanted,
    Set<String> approvedWaves,
    @Nullable String retryAt) {

  public RolloutInput {
    approvedWaves = Set.copyOf(approvedWaves);
  }

  String toRevision() {
    return spec.to().hash();
  }

  /** Null if there was no stable revision to go back to. */
  @Nullable String fromRevision() {
    return spec.from() == null ? null : spec.from().hash();
  }

  /** The class was changed to what it was before the rollout. */
  boolean isTakenBack() {
    return wanted != null && wanted.equals(fromRevision());
  }

  /** The class was changed to something else. */
  boolean isSuperseded() {
    return wanted != null && !wanted.equals(toRevision()) && !isTakenBack();
  }

  boolean asksForRetry() {
    return retryAt != null && !retryAt.isEmpty() && !retryAt.equals(status.lastHandledRetryAt());
  }
}

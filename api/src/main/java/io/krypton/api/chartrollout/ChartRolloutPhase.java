// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.chartrollout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a rollout stands. */
public enum ChartRolloutPhase {
  /** What would change is computed; nothing is updated. */
  @JsonProperty("Planned")
  PLANNED,
  /** A window is waited for. */
  @JsonProperty("Pending")
  PENDING,
  @JsonProperty("Progressing")
  PROGRESSING,
  /** The wave is ready, and must stay so. */
  @JsonProperty("Soaking")
  SOAKING,
  @JsonProperty("AwaitingApproval")
  AWAITING_APPROVAL,
  @JsonProperty("Paused")
  PAUSED,
  /** More has failed than may; somebody must decide. */
  @JsonProperty("Halted")
  HALTED,
  @JsonProperty("RollingBack")
  ROLLING_BACK,
  @JsonProperty("RolledBack")
  ROLLED_BACK,
  @JsonProperty("Completed")
  COMPLETED,
  /** The class changed; a newer rollout took over. */
  @JsonProperty("Superseded")
  SUPERSEDED,
  @JsonProperty("Aborted")
  ABORTED;

  /** Nothing follows. */
  public boolean isFinal() {
    return switch (this) {
      case ROLLED_BACK, COMPLETED, SUPERSEDED, ABORTED -> true;
      case PLANNED,
          PENDING,
          PROGRESSING,
          SOAKING,
          AWAITING_APPROVAL,
          PAUSED,
          HALTED,
          ROLLING_BACK ->
          false;
    };
  }
}

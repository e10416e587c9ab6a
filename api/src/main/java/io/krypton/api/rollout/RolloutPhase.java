// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** The one-word summary of a rollout. */
public enum RolloutPhase {
  @JsonProperty("Pending")
  PENDING,
  @JsonProperty("Ready")
  READY,
  @JsonProperty("Error")
  ERROR
}

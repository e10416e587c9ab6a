// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import com.fasterxml.jackson.annotation.JsonProperty;

/** Where a release stands in the rollout of its class. */
public enum RolloutTargetState {
  /** Its wave has not begun, or has no free slot; it stays on the revision it has. */
  @JsonProperty("Waiting")
  WAITING,
  /** The revision is being rolled out to it, or is there and not ready yet. */
  @JsonProperty("Updating")
  UPDATING,
  /** It is ready, and its wave soaks. */
  @JsonProperty("Soaking")
  SOAKING,
  /** It is ready on the revision, and its wave does not soak. */
  @JsonProperty("Done")
  DONE,
  /** It did not become ready in time, stopped being ready in the soak, or only a change helps. */
  @JsonProperty("Failed")
  FAILED,
  /** spec.pin holds it on a version of its own. */
  @JsonProperty("Pinned")
  PINNED,
  /** spec.suspend holds it on the revision it has. */
  @JsonProperty("Suspended")
  SUSPENDED,
  /** Its cluster does not answer. */
  @JsonProperty("Unreachable")
  UNREACHABLE
}

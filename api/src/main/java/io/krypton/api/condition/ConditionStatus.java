package io.krypton.api.condition;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a condition says about its type. */
public enum ConditionStatus {
  @JsonProperty("True")
  TRUE,
  @JsonProperty("False")
  FALSE,
  @JsonProperty("Unknown")
  UNKNOWN
}

package io.krypton.api.kmshealth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What a probe of one KMS plugin found. */
public enum PluginStatus {
  @JsonProperty("Healthy")
  HEALTHY,
  /** The plugin answers, but not as it should. */
  @JsonProperty("Unhealthy")
  UNHEALTHY,
  /** The plugin does not answer. */
  @JsonProperty("Error")
  ERROR
}

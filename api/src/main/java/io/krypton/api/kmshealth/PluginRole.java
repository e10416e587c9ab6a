package io.krypton.api.kmshealth;

import com.fasterxml.jackson.annotation.JsonProperty;

/** What the API server of a node uses a plugin for. */
public enum PluginRole {
  /** It encrypts what is written. */
  @JsonProperty("Write")
  WRITE,
  /** It only decrypts what was written before. */
  @JsonProperty("Read")
  READ
}

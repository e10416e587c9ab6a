// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.schema.ListSet;
import io.krypton.api.time.ApiTimestamps;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What one reporter last published about one plugin. Null marks what could not be read. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record HealthReport(
    @JsonPropertyDescription("The node the plugin runs on.")
        @Required
        @Size(min = 1, max = 253)
        @Pattern("^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$")
        String nodeName,
    @JsonPropertyDescription("The number of the plugin configuration, as in kms-<keyID>.sock.")
        @Required
        @Size(min = 1, max = 512)
        String keyID,
    @JsonPropertyDescription(
            "Healthy; Unhealthy: the plugin answers, but not as it should;"
                + " Error: it does not answer.")
        @Required
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable PluginStatus status,
    @JsonPropertyDescription("When the plugin was probed, by the clock of the node.")
        @Required
        @Timestamp
        @Nullable Instant lastCheckedTime,
    @JsonPropertyDescription("The id of the key in the remote KMS, or its hash, once known.")
        @Size(min = 1, max = 1024)
        @Nullable String remoteKeyID,
    @JsonPropertyDescription("What the plugin or the connection to it said; without secrets.")
        @Size(min = 1, max = 1024)
        @Nullable String detail,
    @JsonPropertyDescription("One word, for programs, on what is wrong.") @Size(min = 1, max = 128)
        @Nullable String cause,
    @JsonPropertyDescription("Seconds between two probes, rounded up.") @Min(1)
        @Nullable Integer intervalSeconds,
    @JsonPropertyDescription(
            "Write: the API server of the node encrypts with this plugin; Read: it only decrypts"
                + " with it. Absent: not known.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable PluginRole role,
    @JsonPropertyDescription("The Lease of the reporter, as namespace/name.")
        @Size(min = 3, max = 317)
        @Nullable String lease,
    @JsonPropertyDescription(
            "Hashes of older remote keys whose data the plugin cannot decrypt, although it is"
                + " healthy.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        @Size(max = 4)
        List<@Size(max = 71) @Pattern(RemoteKeys.HASH_PATTERN) String> unreadableOldKeys) {
  public HealthReport {
    nodeName = requireNonNullElse(nodeName, "");
    keyID = requireNonNullElse(keyID, "");
    lastCheckedTime = ApiTimestamps.wholeSeconds(lastCheckedTime);
    unreadableOldKeys = List.copyOf(requireNonNullElse(unreadableOldKeys, List.of()));
  }

  /** What the API server of a node uses a plugin for. */
  public enum PluginRole {
    /** It encrypts what is written. */
    @JsonProperty("Write")
    WRITE,
    /** It only decrypts what was written before. */
    @JsonProperty("Read")
    READ
  }

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

  /** How remote keys are named where their ids are not shown. */
  static final class RemoteKeys {
    static final String HASH_PATTERN = "^sha256:[0-9a-f]{64}$";

    private RemoteKeys() {}
  }
}

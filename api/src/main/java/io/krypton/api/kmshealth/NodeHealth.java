// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.krypton.api.time.ApiTimestamps;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** What the aggregator concludes about one node. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record NodeHealth(
    @JsonPropertyDescription("The node.") @Required String nodeName,
    @JsonPropertyDescription("The worst of what is known about the plugins of the node.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable State state,
    @JsonPropertyDescription("Why the node is expected to report.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable Source source,
    @JsonPropertyDescription("Since when the node is expected to report.") @Timestamp
        @Nullable Instant expectedSince) {
  public NodeHealth {
    nodeName = requireNonNullElse(nodeName, "");
    expectedSince = ApiTimestamps.wholeSeconds(expectedSince);
  }

  /** The conclusion about a node. */
  public enum State {
    @JsonProperty("Healthy")
    HEALTHY,
    @JsonProperty("Unhealthy")
    UNHEALTHY,
    @JsonProperty("Error")
    ERROR,
    @JsonProperty("Stale")
    STALE,
    @JsonProperty("Missing")
    MISSING,
    @JsonProperty("Waiting")
    WAITING,
    @JsonProperty("Malformed")
    MALFORMED
  }

  /** Who says that a node has to report. */
  public enum Source {
    @JsonProperty("Spec")
    SPEC,
    @JsonProperty("Selector")
    SELECTOR,
    @JsonProperty("Platform")
    PLATFORM,
    @JsonProperty("Learned")
    LEARNED
  }
}

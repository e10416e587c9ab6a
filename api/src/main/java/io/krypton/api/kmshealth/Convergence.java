// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.time.ApiTimestamps;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How far the nodes agree on the key that encrypts; the aggregator's memory over restarts. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record Convergence(
    @JsonPropertyDescription("The plugin configuration that encrypts.") @Nullable String writeKeyID,
    @JsonPropertyDescription("The remote key all nodes agree on.") @Nullable String remoteKeyID,
    @JsonPropertyDescription(
            "sha256:<hex> of that id, equal to the label key_id_hash of kube-apiserver's metrics.")
        @Nullable String remoteKeyHash,
    @JsonPropertyDescription("Since when all nodes agree.") @Timestamp
        @Nullable Instant convergedAt,
    @JsonPropertyDescription("Remote keys that were agreed on before, newest first.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 10)
        List<String> previousRemoteKeyIDs,
    @JsonPropertyDescription(
            "KMSKeysConverged in a few words: True, Stabilizing since a time, or why not.")
        @Size(max = 128)
        @Nullable String summary) {
  public Convergence {
    convergedAt = ApiTimestamps.wholeSeconds(convergedAt);
    previousRemoteKeyIDs = List.copyOf(requireNonNullElse(previousRemoteKeyIDs, List.of()));
  }
}

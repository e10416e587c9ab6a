// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.StandardConditions;
import io.krypton.api.schema.ListMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Written by many: reporters their entries, the aggregator the rest, the union Degraded. */
@JsonClassDescription("What the reporters of the nodes and the aggregator found.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record KmsHealthStatus(
    @JsonPropertyDescription(
            "KMSHealthReporter_<node> of each reporter, KMSPluginsDegraded, KMSKeysConverged,"
                + " KMSOldKeyUnreadable, Degraded, and what is known about platform and TLS profile.")
        @ListMap(keys = "type")
        @StandardConditions
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions,
    @JsonPropertyDescription("Reports of reporters that write typed entries.")
        @Nullable EncryptionStatus encryptionStatus,
    @JsonPropertyDescription("The nodes that are expected to report.")
        @ListMap(keys = "nodeName")
        @JsonInclude(NON_EMPTY)
        List<NodeHealth> nodes,
    @JsonPropertyDescription("Healthy and expected nodes, as 3/3.") @Nullable String nodesHealthy,
    @JsonPropertyDescription("The plugin configuration that encrypts.") @Nullable String writeKeyID,
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("How far the nodes agree on the remote key that encrypts.")
        @Nullable Convergence convergence) {
  public static final KmsHealthStatus EMPTY =
      new KmsHealthStatus(List.of(), null, List.of(), null, null, null, null);

  public KmsHealthStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
    nodes = List.copyOf(requireNonNullElse(nodes, List.of()));
  }

  public List<HealthReport> healthReports() {
    return encryptionStatus == null ? List.of() : encryptionStatus.healthReports();
  }

  /** The typed reports, under the same path as in the objects of OpenShift. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record EncryptionStatus(
      @JsonPropertyDescription("One entry for each node and plugin; each reporter owns its own.")
          @ListMap(keys = {"nodeName", "keyID"})
          @JsonInclude(NON_EMPTY)
          @Size(max = 200)
          List<HealthReport> healthReports) {
    public EncryptionStatus {
      healthReports = List.copyOf(requireNonNullElse(healthReports, List.of()));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenant;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.krypton.api.condition.Condition;
import io.krypton.api.rollout.Release;
import io.krypton.api.rollout.RolloutPhase;
import io.krypton.api.schema.ListMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operators that roll out a Tenant have to say about it. */
@JsonClassDescription("What the operator last did and saw. Written by the operator only.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record TenantStatus(
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription(
            "Error: some cluster reports an error. Ready: the release is deployed and its"
                + " workloads are ready. Pending: neither yet.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable RolloutPhase phase,
    @JsonPropertyDescription("The message of the condition Ready.") @Nullable String lastMessage,
    @JsonPropertyDescription("The chart that was last rolled out, as <repo>/<name>:<version>.")
        @Nullable String lastAppliedChart,
    @JsonPropertyDescription("The namespace the chart is installed in.") @Nullable String workspace,
    @JsonPropertyDescription("The Helm releases of this Tenant, one for each cluster.")
        @ListMap(keys = "cluster")
        @JsonInclude(NON_EMPTY)
        List<Release> releases,
    @JsonPropertyDescription("The last mesh.openkcm.io/requestedAt that was acted on.")
        @Nullable String lastHandledReconcileAt,
    @JsonPropertyDescription("The last mesh.openkcm.io/forceAt that was acted on.")
        @Nullable String lastHandledForceAt,
    @JsonPropertyDescription(
            "Ready, Reconciling and Stalled, and for each cluster ClusterReady/<cluster>,"
                + " ClusterError/<cluster> and ClusterProgress/<cluster>.")
        @ListMap(keys = "type")
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions) {
  public static final TenantStatus EMPTY =
      new TenantStatus(null, null, null, null, null, List.of(), null, null, List.of());

  public TenantStatus {
    releases = List.copyOf(requireNonNullElse(releases, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rolloutapproval;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.StandardConditions;
import io.krypton.api.schema.ListMap;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether the operator took notice of an approval. */
@JsonClassDescription("Whether the approval counts. Written by the operator only.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record RolloutApprovalStatus(
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Accepted: the rollout and the wave exist, and the approval counts.")
        @ListMap(keys = "type")
        @StandardConditions
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions) {
  public static final RolloutApprovalStatus EMPTY = new RolloutApprovalStatus(null, List.of());

  /** The condition type of an approval. */
  public static final String ACCEPTED = "Accepted";

  public RolloutApprovalStatus {
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }
}

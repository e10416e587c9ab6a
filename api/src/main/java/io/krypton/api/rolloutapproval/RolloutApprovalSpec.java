// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rolloutapproval;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;

/** What is approved; an approval that could be changed would approve something else unseen. */
@JsonClassDescription("What is approved. It cannot be changed.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
@ValidationRule(
    value = "self.rollout == oldSelf.rollout && self.wave == oldSelf.wave",
    message = "spec is immutable; create another RolloutApproval")
public record RolloutApprovalSpec(
    @JsonPropertyDescription("The ChartRollout in the namespace of this object.")
        @Required
        @Size(min = 1, max = 253)
        String rollout,
    @JsonPropertyDescription("The wave after which it may go on.")
        @Required
        @Size(min = 1, max = 40)
        String wave) {
  public static final RolloutApprovalSpec EMPTY = new RolloutApprovalSpec("", "");

  public RolloutApprovalSpec {
    rollout = requireNonNullElse(rollout, "");
    wave = requireNonNullElse(wave, "");
  }
}

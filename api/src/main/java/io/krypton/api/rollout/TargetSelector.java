// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.rollout;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A label selector as Kubernetes has it: an empty one matches everything. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record TargetSelector(
    @JsonPropertyDescription("Labels that must be there, each with this value.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 16)
        Map<String, String> matchLabels,
    @JsonPropertyDescription("Further demands on labels; all of them must hold.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 16)
        List<Requirement> matchExpressions) {
  public static final TargetSelector EVERYTHING = new TargetSelector(Map.of(), List.of());

  public TargetSelector {
    matchLabels = Map.copyOf(requireNonNullElse(matchLabels, Map.of()));
    matchExpressions = List.copyOf(requireNonNullElse(matchExpressions, List.of()));
  }

  public boolean matches(Map<String, String> labels) {
    for (var wanted : matchLabels.entrySet()) {
      if (!wanted.getValue().equals(labels.get(wanted.getKey()))) {
        return false;
      }
    }
    for (var requirement : matchExpressions) {
      if (!requirement.holdsFor(labels)) {
        return false;
      }
    }
    return true;
  }

  /** One demand on one label. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  @ValidationRule(
      value =
          "self.operator in ['In', 'NotIn'] ? has(self.values) && size(self.values) > 0 :"
              + " !has(self.values) || size(self.values) == 0",
      message = "values are needed for In and NotIn, and must be left out for Exists, DoesNotExist")
  public record Requirement(
      @JsonPropertyDescription("The key of the label.") @Required @Size(min = 1, max = 317)
          String key,
      @JsonPropertyDescription(
              "In, NotIn: the label has, or has not, one of the values; a label that is missing is"
                  + " NotIn. Exists, DoesNotExist: whether the label is there.")
          @Required
          @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
          @Nullable Operator operator,
      @JsonPropertyDescription("For In and NotIn.") @JsonInclude(NON_EMPTY) @Size(max = 64)
          List<@Size(max = 63) String> values) {
    public Requirement {
      key = requireNonNullElse(key, "");
      values = List.copyOf(requireNonNullElse(values, List.of()));
    }

    /** An operator that this version does not know holds for nobody. */
    boolean holdsFor(Map<String, String> labels) {
      var value = labels.get(key);
      return switch (operator) {
        case IN -> value != null && values.contains(value);
        case NOT_IN -> value == null || !values.contains(value);
        case EXISTS -> value != null;
        case DOES_NOT_EXIST -> value == null;
        case null -> false;
      };
    }
  }

  /** How a requirement compares. */
  public enum Operator {
    @JsonProperty("In")
    IN,
    @JsonProperty("NotIn")
    NOT_IN,
    @JsonProperty("Exists")
    EXISTS,
    @JsonProperty("DoesNotExist")
    DOES_NOT_EXIST
  }
}

package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.krypton.api.schema.ListSet;
import java.util.List;
import java.util.Map;

/** The nodes that must report: named, or found by their labels. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
@ValidationRule(
    value = "!(has(self.names) && has(self.selector))",
    message = "names and selector exclude each other, set only one of them")
public record ExpectedNodes(
    @JsonPropertyDescription("Node names, for clusters whose nodes do not change.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        @Size(max = 200)
        List<@Size(min = 1, max = 253) String> names,
    @JsonPropertyDescription("Labels that a node must carry, each with this value.")
        @JsonInclude(NON_EMPTY)
        Map<String, String> selector) {
  /** What a node must carry, with any value, when nothing else is asked for. */
  public static final String DEFAULT_NODE_LABEL = "node-role.kubernetes.io/control-plane";

  public static final ExpectedNodes DEFAULT = new ExpectedNodes(List.of(), Map.of());

  public ExpectedNodes {
    names = List.copyOf(requireNonNullElse(names, List.of()));
    selector = Map.copyOf(requireNonNullElse(selector, Map.of()));
  }
}

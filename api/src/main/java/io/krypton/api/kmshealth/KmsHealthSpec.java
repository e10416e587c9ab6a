// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.kmshealth;

import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.krypton.api.kmshealth.HealthReport.RemoteKeys;
import io.krypton.api.schema.ListSet;
import io.krypton.api.time.JsonDuration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** How the KMS plugins of a cluster are watched; all of it has defaults. */
@JsonClassDescription("How the KMS plugins of this cluster are watched. Everything has a default.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record KmsHealthSpec(
    @JsonPropertyDescription(
            "False: KMS is not in use, and everything that Krypton reported about it is removed.")
        @Default("true")
        Boolean enabled,
    @JsonPropertyDescription(
            "The nodes that must report. Default: all nodes that have the label"
                + " node-role.kubernetes.io/control-plane.")
        @Nullable ExpectedNodes expectedNodes,
    @JsonPropertyDescription(
            "The numbers of the plugin configurations that count, as in kms-<n>.sock."
                + " Default: those that are reported.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        @Size(max = 64)
        List<@Size(min = 1, max = 512) @Pattern("^[0-9]+$") String> keyIDs,
    @JsonPropertyDescription(
            "The one of them that encrypts. Default: the one that the reporters name. Without either"
                + " the highest is shown, and KMSKeysConverged never becomes True.")
        @Size(min = 1, max = 512)
        @Pattern("^[0-9]+$")
        @Nullable String writeKeyID,
    @JsonPropertyDescription("How long a plugin must be degraded until Degraded becomes True.")
        @Default("2m")
        @Size(max = 32)
        @Pattern(JsonDuration.PATTERN)
        JsonDuration degradedInertia,
    @JsonPropertyDescription(
            "How long all nodes must agree on the remote key until KMSKeysConverged becomes True.")
        @Default("5m")
        @Size(max = 32)
        @Pattern(JsonDuration.PATTERN)
        @ValidationRule(
            value = "duration(self) >= duration('2m')",
            message =
                "convergedFor must be at least 2m: for 90s a plugin may encrypt with another key"
                    + " than the one it shows before that is reported")
        JsonDuration convergedFor,
    @JsonPropertyDescription(
            "Hashes of remote keys that were retired for good, as in the label key_id_hash of"
                + " kube-apiserver's metrics: that their data cannot be decrypted any more is no"
                + " reason for KMSOldKeyUnreadable.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        @Size(max = 64)
        List<@Size(max = 71) @Pattern(RemoteKeys.HASH_PATTERN) String> retiredKeyHashes) {
  /** Shorter is not taken for convergence, also where an older definition lets it pass. */
  public static final JsonDuration SHORTEST_CONVERGED_FOR = JsonDuration.ofMinutes(2);

  private static final JsonDuration DEFAULT_DEGRADED_INERTIA = JsonDuration.ofMinutes(2);
  private static final JsonDuration DEFAULT_CONVERGED_FOR = JsonDuration.ofMinutes(5);

  public static final KmsHealthSpec DEFAULT =
      new KmsHealthSpec(
          true, null, List.of(), null, DEFAULT_DEGRADED_INERTIA, DEFAULT_CONVERGED_FOR, List.of());

  public KmsHealthSpec {
    enabled = requireNonNullElse(enabled, true);
    keyIDs = List.copyOf(requireNonNullElse(keyIDs, List.of()));
    degradedInertia = requireNonNullElse(degradedInertia, DEFAULT_DEGRADED_INERTIA);
    convergedFor = requireNonNullElse(convergedFor, DEFAULT_CONVERGED_FOR);
    retiredKeyHashes = List.copyOf(requireNonNullElse(retiredKeyHashes, List.of()));
  }

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
}

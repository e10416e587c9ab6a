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
import io.krypton.api.schema.ListSet;
import io.krypton.api.time.GoDuration;
import java.util.List;
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
    @JsonPropertyDescription("The one of them that encrypts. Default: the highest.")
        @Size(min = 1, max = 512)
        @Pattern("^[0-9]+$")
        @Nullable String writeKeyID,
    @JsonPropertyDescription("How long a plugin must be degraded until Degraded becomes True.")
        @Default("2m")
        @Size(max = 32)
        @Pattern(GoDuration.PATTERN)
        GoDuration degradedInertia,
    @JsonPropertyDescription(
            "How long all nodes must agree on the remote key until KMSKeysConverged becomes True.")
        @Default("5m")
        @Size(max = 32)
        @Pattern(GoDuration.PATTERN)
        GoDuration convergedFor) {
  private static final GoDuration DEFAULT_DEGRADED_INERTIA = GoDuration.ofMinutes(2);
  private static final GoDuration DEFAULT_CONVERGED_FOR = GoDuration.ofMinutes(5);

  public static final KmsHealthSpec DEFAULT =
      new KmsHealthSpec(
          true, null, List.of(), null, DEFAULT_DEGRADED_INERTIA, DEFAULT_CONVERGED_FOR);

  public KmsHealthSpec {
    enabled = requireNonNullElse(enabled, true);
    keyIDs = List.copyOf(requireNonNullElse(keyIDs, List.of()));
    degradedInertia = requireNonNullElse(degradedInertia, DEFAULT_DEGRADED_INERTIA);
    convergedFor = requireNonNullElse(convergedFor, DEFAULT_CONVERGED_FOR);
  }
}

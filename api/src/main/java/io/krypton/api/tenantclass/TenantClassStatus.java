// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenantclass;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.StandardConditions;
import io.krypton.api.event.EventReason;
import io.krypton.api.schema.ListMap;
import io.krypton.api.schema.ListSet;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the operator has to say about a class. */
@JsonClassDescription("What the operator last did and saw. Written by the operator only.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record TenantClassStatus(
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription(
            "Object: this object says what is rolled out. Flags: the flags of the operator do.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable ClassSource source,
    @JsonPropertyDescription("The revision that was last rolled out to the end.")
        @Nullable RevisionReference stable,
    @JsonPropertyDescription("The revision that this object asks for.")
        @Nullable RevisionReference target,
    @JsonPropertyDescription(
            "Hashes of revisions that were rolled back; they are not rolled out again until the"
                + " spec changes or somebody retries.")
        @ListSet
        @JsonInclude(NON_EMPTY)
        @Size(max = 20)
        List<@Size(max = 64) String> refused,
    @JsonPropertyDescription("The ChartRollout that has not ended.") @Nullable String activeRollout,
    @JsonPropertyDescription("How many releases of this class there are.") @Nullable Counts counts,
    @JsonPropertyDescription("Ready, Reconciling and Stalled.")
        @ListMap(keys = "type")
        @StandardConditions
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions) {
  public static final TenantClassStatus EMPTY =
      new TenantClassStatus(null, null, null, null, List.of(), null, null, List.of());

  public TenantClassStatus {
    refused = List.copyOf(requireNonNullElse(refused, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** One revision of a class: a chart with its central values. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record RevisionReference(
      @JsonPropertyDescription("Its number; grows by one with each change.") @Required
          Integer revision,
      @JsonPropertyDescription("The version of the chart.") @Required @Size(max = 128)
          String version,
      @JsonPropertyDescription(
              "SHA-256 of repository, name, version and digest of the chart, and of the values.")
          @Required
          @Size(max = 64)
          String hash) {
    public RevisionReference {
      revision = requireNonNullElse(revision, 0);
      version = requireNonNullElse(version, "");
      hash = requireNonNullElse(hash, "");
    }
  }

  /** How many releases of a class there are, and how they are. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record Counts(
      @JsonPropertyDescription("All of them.") int targets,
      @JsonPropertyDescription("On the stable revision.") int onStable,
      @JsonPropertyDescription("On the target revision.") int onTarget,
      @JsonPropertyDescription("Held on a version of their own by spec.pin.") int pinned,
      @JsonPropertyDescription("Held by spec.suspend.") int suspended,
      @JsonPropertyDescription("Not ready in time, or only a change helps.") int failed,
      @JsonPropertyDescription("On clusters that do not answer.") int unreachable) {}

  /** Who says what is rolled out. */
  public enum ClassSource {
    @JsonProperty("Object")
    OBJECT,
    @JsonProperty("Flags")
    FLAGS
  }

  /** Condition reasons of a TenantClass, besides those of every rollout. */
  public static final class ClassReasons {
    // Ready
    public static final String ACCEPTED = "Accepted";
    public static final String CLASS_INVALID = EventReason.CLASS_INVALID.value();
    public static final String CHART_UNAVAILABLE = "ChartUnavailable";
    public static final String VERSION_REPUSHED = EventReason.VERSION_REPUSHED.value();
    public static final String REVISION_REFUSED = "RevisionRefused";

    // Reconciling
    public static final String ROLLING_OUT = "RollingOut";
    public static final String CLASS_IN_USE = EventReason.CLASS_IN_USE.value();

    private ClassReasons() {}
  }
}

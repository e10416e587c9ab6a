// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.condition;

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
import io.krypton.api.time.ApiTimestamps;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One observed aspect of an object. The types have no pattern here because {@code ClusterReady/x}
 * is not a qualified name; a resource whose types are qualified names adds the pattern itself.
 */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record Condition(
    @JsonPropertyDescription("What this condition is about; unique in the list.")
        @Required
        @Size(min = 1, max = 316)
        String type,
    @JsonPropertyDescription("True, False, or Unknown when it cannot be told.")
        @Required
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        ConditionStatus status,
    @JsonPropertyDescription("One word, for programs, on why the condition has its status.")
        @JsonInclude(NON_EMPTY)
        @Size(min = 1, max = 1024)
        String reason,
    @JsonPropertyDescription("The same for people: what happened and what to do next.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 32768)
        String message,
    @JsonPropertyDescription("When the status last changed; a new reason or message keeps it.")
        @Timestamp
        @Nullable Instant lastTransitionTime,
    @JsonPropertyDescription("The metadata.generation this condition was set for.")
        @Nullable Long observedGeneration) {

  /** A status that cannot be read is Unknown, never False. */
  public Condition {
    type = requireNonNullElse(type, "");
    status = requireNonNullElse(status, ConditionStatus.UNKNOWN);
    reason = requireNonNullElse(reason, "");
    message = requireNonNullElse(message, "");
    lastTransitionTime = ApiTimestamps.wholeSeconds(lastTransitionTime);
  }

  /** A condition that still lacks its time; see {@link ConditionList#withTransitionTime}. */
  public static Condition of(String type, ConditionStatus status, String reason, String message) {
    return new Condition(type, status, reason, message, null, null);
  }

  public Condition observedAt(long generation) {
    return new Condition(type, status, reason, message, lastTransitionTime, generation);
  }

  public Condition since(Instant time) {
    return new Condition(type, status, reason, message, time, observedGeneration);
  }

  /** What a condition says about its type. */
  public enum ConditionStatus {
    @JsonProperty("True")
    TRUE,
    @JsonProperty("False")
    FALSE,
    @JsonProperty("Unknown")
    UNKNOWN
  }

  /**
   * A list of conditions as Kubernetes defines them: types are qualified names, every condition has
   * its time, and a reason may be empty.
   */
  @Target(ElementType.RECORD_COMPONENT)
  @Retention(RetentionPolicy.RUNTIME)
  public @interface StandardConditions {}
}

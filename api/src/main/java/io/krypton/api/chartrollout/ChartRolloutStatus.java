// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.chartrollout;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.StandardConditions;
import io.krypton.api.schema.ListMap;
import io.krypton.api.time.ApiTimestamps;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import io.krypton.api.time.JsonDuration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a rollout is. Phase, wave and the times are the cursor: all that the operator remembers
 * of a rollout. The rest is counted anew each time.
 */
@JsonClassDescription("How far the rollout is. Written by the operator only.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record ChartRolloutStatus(
    @JsonPropertyDescription("The metadata.generation this status was made from.")
        @Nullable Long observedGeneration,
    @JsonPropertyDescription("Where the rollout stands.")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        @Nullable ChartRolloutPhase phase,
    @JsonPropertyDescription("The wave that it has come to.") @Nullable String wave,
    @JsonPropertyDescription("Since when the waves go back to the stable revision.") @Timestamp
        @Nullable Instant rollbackStartedAt,
    @JsonPropertyDescription("Releases on the target revision, and all of them, as 120/800.")
        @Nullable String updated,
    @JsonPropertyDescription("Releases that have failed.") @Nullable Integer failed,
    @JsonPropertyDescription("When the first wave began.") @Timestamp @Nullable Instant startedAt,
    @JsonPropertyDescription("When the rollout ended.") @Timestamp @Nullable Instant completedAt,
    @JsonPropertyDescription("When somebody last retried; what failed before is tried anew.")
        @Timestamp
        @Nullable Instant retriedAt,
    @JsonPropertyDescription("The last mesh.openkcm.io/retryAt that was acted on.")
        @Nullable String lastHandledRetryAt,
    @JsonPropertyDescription("The waves, in order.")
        @ListMap(keys = "name")
        @JsonInclude(NON_EMPTY)
        @Size(max = 21)
        List<WaveStatus> waves,
    @JsonPropertyDescription("Releases that have failed; at most 20 are named.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 20)
        List<TargetFailure> failures,
    @JsonPropertyDescription(
            "Releases that were in Error before their update and still are; they do not count as"
                + " failures. At most 5 are named.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 5)
        List<TargetFailure> alreadyFailing,
    @JsonPropertyDescription("What would change, of a rollout with run Planned.")
        @Nullable PlanCounts plan,
    @JsonPropertyDescription("Progressing, Degraded and Complete.")
        @ListMap(keys = "type")
        @StandardConditions
        @JsonInclude(NON_EMPTY)
        List<Condition> conditions) {
  /** How many failures are named. */
  public static final int MOST_FAILURES = 20;

  /** How many of those are named that failed before. */
  public static final int MOST_ALREADY_FAILING = 5;

  public static final ChartRolloutStatus EMPTY =
      new ChartRolloutStatus(
          null, null, null, null, null, null, null, null, null, null, List.of(), List.of(),
          List.of(), null, List.of());

  public ChartRolloutStatus {
    startedAt = ApiTimestamps.wholeSeconds(startedAt);
    rollbackStartedAt = ApiTimestamps.wholeSeconds(rollbackStartedAt);
    completedAt = ApiTimestamps.wholeSeconds(completedAt);
    retriedAt = ApiTimestamps.wholeSeconds(retriedAt);
    waves = List.copyOf(requireNonNullElse(waves, List.of()));
    failures = List.copyOf(requireNonNullElse(failures, List.of()));
    alreadyFailing = List.copyOf(requireNonNullElse(alreadyFailing, List.of()));
    conditions = List.copyOf(requireNonNullElse(conditions, List.of()));
  }

  /** How far one wave is. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record WaveStatus(
      @JsonPropertyDescription("The name of the wave.") @Required @Size(min = 1, max = 40)
          String name,
      @JsonPropertyDescription(
              "How many releases it has, without those that are skipped or not installed yet.")
          int total,
      @JsonPropertyDescription("Those on the target revision.") int updated,
      @JsonPropertyDescription("Those that are ready on the revision they are to have.") int ready,
      @JsonPropertyDescription("Those that have failed on it.") int failed,
      @JsonPropertyDescription("Those that are not on it, on clusters that do not answer.")
          int unreachable,
      @JsonPropertyDescription("Releases that are pinned or suspended.") int skipped,
      @JsonPropertyDescription("When it began.") @Timestamp @Nullable Instant startedAt,
      @JsonPropertyDescription("Since when all of it is ready: the start of its soak.") @Timestamp
          @Nullable Instant readySince,
      @JsonPropertyDescription(
              "How much of its soak was watched, by a clock that is not set; the soak ends when"
                  + " both this and the time since readySince are long enough.")
          @Size(max = 32)
          @Nullable JsonDuration soaked,
      @JsonPropertyDescription("When it passed.") @Timestamp @Nullable Instant endedAt) {
    public WaveStatus {
      name = requireNonNullElse(name, "");
      startedAt = ApiTimestamps.wholeSeconds(startedAt);
      readySince = ApiTimestamps.wholeSeconds(readySince);
      endedAt = ApiTimestamps.wholeSeconds(endedAt);
    }

    public static WaveStatus notBegun(String name) {
      return new WaveStatus(name, 0, 0, 0, 0, 0, 0, null, null, null, null);
    }
  }

  /** One release that has failed. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record TargetFailure(
      @JsonPropertyDescription("The cluster: the name of its kubeconfig Secret.")
          @Required
          @Size(max = 253)
          String cluster,
      @JsonPropertyDescription("The object, as tenant/<namespace>/<name>.")
          @Required
          @Size(max = 400)
          String object,
      @JsonPropertyDescription("One word, for programs, on why it has failed.") @Size(max = 128)
          String reason,
      @JsonPropertyDescription("Since when.") @Timestamp @Nullable Instant since) {
    public TargetFailure {
      cluster = requireNonNullElse(cluster, "");
      object = requireNonNullElse(object, "");
      reason = requireNonNullElse(reason, "");
      since = ApiTimestamps.wholeSeconds(since);
    }
  }

  /** What a rollout would change. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  public record PlanCounts(
      @JsonPropertyDescription("Releases that would get other manifests.") int changed,
      @JsonPropertyDescription("Releases that would stay as they are.") int unchanged,
      @JsonPropertyDescription("Releases whose values the chart does not accept.")
          int cannotRender) {}

  /** Condition types of a ChartRollout. */
  public static final class ChartRolloutConditionTypes {
    public static final String PROGRESSING = "Progressing";
    public static final String DEGRADED = "Degraded";
    public static final String COMPLETE = "Complete";

    private ChartRolloutConditionTypes() {}
  }

  /** Condition reasons of a ChartRollout, for programs: the phase, or the budget. */
  public static final class ChartRolloutReasons {
    // Progressing and Complete: the phase
    public static final String PLANNED = "Planned";
    public static final String PENDING = "Pending";
    public static final String PROGRESSING = "Progressing";
    public static final String SOAKING = "Soaking";
    public static final String AWAITING_APPROVAL = "AwaitingApproval";
    public static final String PAUSED = "Paused";
    public static final String HALTED = "Halted";
    public static final String ROLLING_BACK = "RollingBack";
    public static final String ROLLED_BACK = "RolledBack";
    public static final String COMPLETED = "Completed";
    public static final String SUPERSEDED = "Superseded";
    public static final String ABORTED = "Aborted";

    // Degraded
    public static final String TOO_MANY_FAILED = "TooManyFailed";
    public static final String TOO_MANY_UNREACHABLE = "TooManyUnreachable";
    public static final String WITHIN_BUDGET = "WithinBudget";

    private ChartRolloutReasons() {}
  }
}

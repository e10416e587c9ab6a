// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.chartrollout;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_DEFAULT;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

import com.fasterxml.jackson.annotation.JsonClassDescription;
import com.fasterxml.jackson.annotation.JsonFormat;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyDescription;
import io.fabric8.generator.annotation.Default;
import io.fabric8.generator.annotation.Min;
import io.fabric8.generator.annotation.Pattern;
import io.fabric8.generator.annotation.Required;
import io.fabric8.generator.annotation.Size;
import io.fabric8.generator.annotation.ValidationRule;
import io.fabric8.kubernetes.api.model.IntOrString;
import io.krypton.api.rollout.ClassRules;
import io.krypton.api.schema.ListMap;
import io.krypton.api.tenantclass.RolloutPolicy;
import io.krypton.api.tenantclass.RolloutPolicy.NewTenants;
import io.krypton.api.tenantclass.RolloutPolicy.OnFailure;
import io.krypton.api.tenantclass.RolloutPolicy.WaveSpec;
import io.krypton.api.tenantclass.RolloutPolicy.WindowSpec;
import io.krypton.api.tenantclass.TenantClassStatus.RevisionReference;
import io.krypton.api.time.JsonDuration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is rolled out and how: spec.rollout of the class as it was when the rollout was made, since
 * a rollout that has begun keeps its waves.
 */
@JsonClassDescription(
    "What is rolled out, and how: spec.rollout of the class as it was when the rollout was made."
        + " Only run can be changed.")
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
@ValidationRule(value = ChartRolloutSpec.IMMUTABLE, message = ChartRolloutSpec.IMMUTABLE_MESSAGE)
public record ChartRolloutSpec(
    @JsonPropertyDescription("The TenantClass.")
        @Required
        @Size(min = 1, max = ClassRules.NAME_LIMIT)
        @Pattern(ClassRules.NAME_PATTERN)
        String className,
    @JsonPropertyDescription("The stable revision when the rollout was made; absent if none was.")
        @Nullable RevisionReference from,
    @JsonPropertyDescription("The revision that is rolled out.") @Required RevisionReference to,
    @JsonPropertyDescription("The waves, in order; a last wave named rest follows them.")
        @ListMap(keys = "name")
        @JsonInclude(NON_EMPTY)
        @Size(max = 20)
        List<WaveSpec> waves,
    @JsonPropertyDescription("How many releases of a wave are in flight.") @Default("50") @Min(1)
        Integer maxConcurrent,
    @JsonPropertyDescription("How many releases of a wave may fail, as a number or a percentage.")
        @Default("0")
        @Min(0)
        @Pattern(ClassRules.PERCENT)
        IntOrString maxFailures,
    @JsonPropertyDescription(
            "With how many releases on clusters that do not answer a wave passes, as a number or a"
                + " percentage.")
        @Default("20%")
        @Min(0)
        @Pattern(ClassRules.PERCENT)
        IntOrString maxUnreachable,
    @JsonPropertyDescription("How long a release may take to become ready until it has failed.")
        @Default("10m")
        @Size(max = 32)
        @Pattern(JsonDuration.PATTERN)
        JsonDuration progressDeadline,
    @JsonPropertyDescription("What happens when more has failed than may.")
        @Default("Halt")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        OnFailure onFailure,
    @JsonPropertyDescription("True: where a cluster says KMSPluginsDegraded, nothing is updated.")
        @JsonInclude(NON_DEFAULT)
        @Default("false")
        boolean requireKmsHealthy,
    @JsonPropertyDescription("What a new Tenant gets whose wave has not passed.")
        @Default("Stable")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        NewTenants newTenants,
    @JsonPropertyDescription("When updates may begin.") @JsonInclude(NON_EMPTY) @Size(max = 20)
        List<WindowSpec> windows,
    @JsonPropertyDescription(
            "Planned: what would change is computed, nothing is updated. Running: it goes on."
                + " Paused: nothing new begins. Aborted: it has ended, releases stay where they"
                + " are.")
        @Default("Running")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        Run run) {
  /** Fields with a default are always there; an optional ({@code self.?from}) costs too much. */
  static final String IMMUTABLE =
      "self.className == oldSelf.className && self.to == oldSelf.to"
          + " && has(self.from) == has(oldSelf.from)"
          + " && (!has(self.from) || self.from == oldSelf.from)"
          + " && has(self.waves) == has(oldSelf.waves)"
          + " && (!has(self.waves) || self.waves == oldSelf.waves)"
          + " && self.maxConcurrent == oldSelf.maxConcurrent"
          + " && self.maxFailures == oldSelf.maxFailures"
          + " && self.maxUnreachable == oldSelf.maxUnreachable"
          + " && self.progressDeadline == oldSelf.progressDeadline"
          + " && self.onFailure == oldSelf.onFailure"
          + " && self.requireKmsHealthy == oldSelf.requireKmsHealthy"
          + " && self.newTenants == oldSelf.newTenants"
          + " && has(self.windows) == has(oldSelf.windows)"
          + " && (!has(self.windows) || self.windows == oldSelf.windows)";

  static final String IMMUTABLE_MESSAGE =
      "of spec only run can be changed; change the TenantClass, and the operator makes a new"
          + " rollout";

  private static final RevisionReference NO_REVISION = new RevisionReference(0, "", "");

  public static final ChartRolloutSpec EMPTY =
      of("", null, NO_REVISION, RolloutPolicy.DEFAULT, Run.RUNNING);

  public ChartRolloutSpec {
    className = requireNonNullElse(className, "");
    to = requireNonNullElse(to, NO_REVISION);
    var policy =
        new RolloutPolicy(
            waves,
            maxConcurrent,
            maxFailures,
            maxUnreachable,
            progressDeadline,
            onFailure,
            requireKmsHealthy,
            newTenants,
            windows);
    waves = policy.waves();
    maxConcurrent = policy.maxConcurrent();
    maxFailures = policy.maxFailures();
    maxUnreachable = policy.maxUnreachable();
    progressDeadline = policy.progressDeadline();
    onFailure = policy.onFailure();
    newTenants = policy.newTenants();
    windows = policy.windows();
    run = requireNonNullElse(run, Run.RUNNING);
  }

  /** The rollout that a class asks for now. */
  public static ChartRolloutSpec of(
      String className,
      @Nullable RevisionReference from,
      RevisionReference to,
      RolloutPolicy policy,
      Run run) {
    return new ChartRolloutSpec(
        className,
        from,
        to,
        policy.waves(),
        policy.maxConcurrent(),
        policy.maxFailures(),
        policy.maxUnreachable(),
        policy.progressDeadline(),
        policy.onFailure(),
        policy.requireKmsHealthy(),
        policy.newTenants(),
        policy.windows(),
        run);
  }

  /** The snapshot of spec.rollout of the class. */
  public RolloutPolicy policy() {
    return new RolloutPolicy(
        waves,
        maxConcurrent,
        maxFailures,
        maxUnreachable,
        progressDeadline,
        onFailure,
        requireKmsHealthy,
        newTenants,
        windows);
  }

  /** What people ask of a rollout. */
  public enum Run {
    @JsonProperty("Planned")
    PLANNED,
    @JsonProperty("Running")
    RUNNING,
    @JsonProperty("Paused")
    PAUSED,
    @JsonProperty("Aborted")
    ABORTED
  }
}

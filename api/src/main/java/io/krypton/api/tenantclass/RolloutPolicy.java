// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.tenantclass;

import static com.fasterxml.jackson.annotation.JsonFormat.Feature.READ_UNKNOWN_ENUM_VALUES_AS_NULL;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_DEFAULT;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_EMPTY;
import static com.fasterxml.jackson.annotation.JsonInclude.Include.NON_NULL;
import static java.util.Objects.requireNonNullElse;

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
import io.krypton.api.rollout.TargetSelector;
import io.krypton.api.schema.ListMap;
import io.krypton.api.time.JsonDuration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** How a change of a class reaches its releases. */
@JsonIgnoreProperties(ignoreUnknown = true)
@JsonInclude(NON_NULL)
public record RolloutPolicy(
    @JsonPropertyDescription(
            "The waves, in order. A release belongs to the first one that matches it; whoever"
                + " matches none is in a last wave named rest. None: one wave with everything.")
        @ListMap(keys = "name")
        @JsonInclude(NON_EMPTY)
        @Size(max = 20)
        List<WaveSpec> waves,
    @JsonPropertyDescription("How many releases of a wave are in flight; waves may say their own.")
        @Default("50")
        @Min(1)
        Integer maxConcurrent,
    @JsonPropertyDescription(
            "How many releases of a wave may fail, as a number or as a percentage of the wave,"
                + " rounded down. One more, and onFailure says what happens.")
        @Default("0")
        @Min(0)
        @Pattern(ClassRules.PERCENT)
        IntOrString maxFailures,
    @JsonPropertyDescription(
            "With how many releases on clusters that do not answer a wave passes, as a number or as"
                + " a percentage of the wave, rounded down. They are no failures; they catch up"
                + " when their cluster is back.")
        @Default("20%")
        @Min(0)
        @Pattern(ClassRules.PERCENT)
        IntOrString maxUnreachable,
    @JsonPropertyDescription(
            "How long a release may take to become ready until it has failed. Stands still while"
                + " its cluster does not answer.")
        @Default("10m")
        @Size(max = 32)
        @Pattern(JsonDuration.PATTERN)
        @ValidationRule(
            value = "duration(self) > duration('0s')",
            message = "must be longer than 0s, such as 10m")
        JsonDuration progressDeadline,
    @JsonPropertyDescription(
            "Halt: nothing more is updated until somebody decides. Rollback: the waves go back to"
                + " the stable revision, without a soak. Continue: failures are only counted.")
        @Default("Halt")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        OnFailure onFailure,
    @JsonPropertyDescription(
            "True: where a cluster says KMSPluginsDegraded, nothing is updated until it is over.")
        @JsonInclude(NON_DEFAULT)
        @Default("false")
        boolean requireKmsHealthy,
    @JsonPropertyDescription(
            "What a new Tenant gets whose wave has not passed: the Stable revision, or the Target.")
        @Default("Stable")
        @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
        NewTenants newTenants,
    @JsonPropertyDescription(
            "When updates may begin. Deny wins over Allow; with any Allow nothing begins outside of"
                + " them. What runs ends; first installs and rollbacks do not wait.")
        @JsonInclude(NON_EMPTY)
        @Size(max = 20)
        List<WindowSpec> windows) {
  private static final int DEFAULT_CONCURRENT = 50;
  private static final JsonDuration DEFAULT_DEADLINE = JsonDuration.ofMinutes(10);

  public static final RolloutPolicy DEFAULT =
      new RolloutPolicy(
          List.of(),
          DEFAULT_CONCURRENT,
          new IntOrString(0),
          new IntOrString("20%"),
          DEFAULT_DEADLINE,
          OnFailure.HALT,
          false,
          NewTenants.STABLE,
          List.of());

  public RolloutPolicy {
    waves = List.copyOf(requireNonNullElse(waves, List.of()));
    maxConcurrent = requireNonNullElse(maxConcurrent, DEFAULT_CONCURRENT);
    maxFailures = requireNonNullElse(maxFailures, new IntOrString(0));
    maxUnreachable = requireNonNullElse(maxUnreachable, new IntOrString("20%"));
    progressDeadline = requireNonNullElse(progressDeadline, DEFAULT_DEADLINE);
    onFailure = requireNonNullElse(onFailure, OnFailure.HALT);
    newTenants = requireNonNullElse(newTenants, NewTenants.STABLE);
    windows = List.copyOf(requireNonNullElse(windows, List.of()));
  }

  /** One step of a rollout: who belongs to it, and what it waits for at its end. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record WaveSpec(
      @JsonPropertyDescription("The name; rest is reserved for the last wave.")
          @Required
          @Size(min = 1, max = 40)
          @ValidationRule(
              value =
                  "self != '"
                      + ClassRules.LAST_WAVE
                      + "' && self.matches('"
                      + ClassRules.NAME_PATTERN
                      + "')",
              message = WAVE_NAME)
          String name,
      @JsonPropertyDescription(
              "The clusters, by the labels of their kubeconfig Secrets. Absent or empty: all.")
          @Nullable TargetSelector clusters,
      @JsonPropertyDescription(
              "The Tenants and KryptonDeployments, by their labels. Absent or empty: all.")
          @Nullable TargetSelector tenants,
      @JsonPropertyDescription(
              "Of those that match, this share, chosen anew for each rollout. It counts those of"
                  + " earlier shares: 10% and then 30% adds 20% of all.")
          @Size(max = 7)
          @ValidationRule(
              value =
                  "self.matches('^(100|[0-9]{1,2}([.][0-9]{1,2})?)%$') &&"
                      + " !self.matches('^0{1,2}([.]0{1,2})?%$')",
              message = SHARE)
          @Nullable String share,
      @JsonPropertyDescription(
              "How many of its releases are in flight. Default: that of all waves.")
          @Min(1)
          @Nullable Integer maxConcurrent,
      @JsonPropertyDescription("How long all of it must stay ready before the next wave begins.")
          @Size(max = 32)
          @Pattern(JsonDuration.PATTERN)
          @Nullable JsonDuration soak,
      @JsonPropertyDescription(
              "Required: after the soak a RolloutApproval of this wave is waited for.")
          @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
          @Nullable Approval approval) {
    private static final String WAVE_NAME =
        "must be a DNS label of at most 40 characters and not rest, which is the last wave's name";
    private static final String SHARE =
        "must be a percentage above 0% and up to 100%, such as 10% or 0.5%";

    public WaveSpec {
      name = requireNonNullElse(name, "");
    }
  }

  /** When updates may begin, or may not. */
  @JsonIgnoreProperties(ignoreUnknown = true)
  @JsonInclude(NON_NULL)
  public record WindowSpec(
      @JsonPropertyDescription("Allow or Deny.")
          @Required
          @JsonFormat(with = READ_UNKNOWN_ENUM_VALUES_AS_NULL)
          @Nullable WindowKind kind,
      @JsonPropertyDescription(
              "When it begins: minute, hour, day of month, month and day of week, as in a CronJob.")
          @Required
          @Size(min = 9, max = 200)
          @ValidationRule(
              value = "self.matches('^[0-9*/,-]+( +[0-9A-Za-z*/,-]+){4}$')",
              message = SCHEDULE)
          String schedule,
      @JsonPropertyDescription("How long it lasts.")
          @Required
          @Size(max = 32)
          @Pattern(JsonDuration.PATTERN)
          @ValidationRule(
              value = "duration(self) > duration('0s')",
              message = "must be longer than 0s, such as 8h")
          @Nullable JsonDuration duration,
      @JsonPropertyDescription("The time zone of the schedule, such as Europe/Berlin.")
          @Default("UTC")
          @Size(min = 1, max = 64)
          @ValidationRule(
              value =
                  "self.matches('^[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*$') && self != 'Local'",
              message = ZONE)
          String timeZone) {
    private static final String SCHEDULE =
        "must have five fields: minute, hour, day of month, month, day of week; such as 0 18 * * 5";
    private static final String ZONE =
        "must be a name of the time zone database, such as UTC or Europe/Berlin";

    public WindowSpec {
      schedule = requireNonNullElse(schedule, "");
      timeZone = requireNonNullElse(timeZone, "UTC");
    }
  }

  /** What a rollout does when more has failed than may. */
  public enum OnFailure {
    @JsonProperty("Halt")
    HALT,
    @JsonProperty("Rollback")
    ROLLBACK,
    @JsonProperty("Continue")
    CONTINUE
  }

  /** What a new Tenant gets. */
  public enum NewTenants {
    @JsonProperty("Stable")
    STABLE,
    @JsonProperty("Target")
    TARGET
  }

  /** Whether somebody must say yes. */
  public enum Approval {
    @JsonProperty("Required")
    REQUIRED,
    @JsonProperty("NotRequired")
    NOT_REQUIRED
  }

  /** What a window does. */
  public enum WindowKind {
    @JsonProperty("Allow")
    ALLOW,
    @JsonProperty("Deny")
    DENY
  }
}

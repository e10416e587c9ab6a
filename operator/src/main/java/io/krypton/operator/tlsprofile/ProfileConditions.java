package io.krypton.operator.tlsprofile;

import static io.krypton.api.condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditions;
import io.krypton.api.kmshealth.KmsHealthReasons;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.PlatformState;
import io.krypton.operator.tls.profile.Shown;
import io.krypton.operator.tlsprofile.PassResult.Standing;
import java.util.List;
import java.util.Optional;

/** Tells a pass in four conditions. */
final class ProfileConditions {
  private static final int LONGEST_MESSAGE = 1024;

  private ProfileConditions() {}

  static List<Condition> of(PlatformState platform, PassResult result) {
    return List.of(
        detected(platform, result.plan()),
        published(result),
        narrowed(result.plan()),
        degraded(result));
  }

  private static Condition detected(PlatformState platform, ProfilePlan plan) {
    var type = KmsHealthConditions.PLATFORM_DETECTED;
    if (plan instanceof ProfilePlan.RefuseFlip) {
      return condition(
          type,
          FALSE,
          KmsHealthReasons.PLATFORM_FLIP,
          "OpenShift was found before and is not found now, so nothing is changed; set --platform"
              + " to say which is right");
    }
    if (platform instanceof PlatformState.Unknown(var why)) {
      return condition(type, UNKNOWN, KmsHealthReasons.DETECTION_FAILED, why);
    }
    var openShift = platform.known().filter(it -> it == Platform.OPENSHIFT).isPresent();
    return condition(
        type, TRUE, openShift ? KmsHealthReasons.OPENSHIFT : KmsHealthReasons.KUBERNETES, "");
  }

  private static Condition published(PassResult result) {
    var type = KmsHealthConditions.TLS_PROFILE_PUBLISHED;
    return switch (result.standing()) {
      case Standing.Published published ->
          condition(
              type,
              TRUE,
              KmsHealthReasons.AS_EXPECTED,
              result.plan() instanceof ProfilePlan.Render
                  ? ""
                  : "the profile that was published before stays in force");
      case Standing.WriteFailed(var why) ->
          condition(type, FALSE, KmsHealthReasons.WRITE_FAILED, why);
      case Standing.ReadBackMismatch mismatch ->
          condition(
              type,
              FALSE,
              KmsHealthReasons.READ_BACK_MISMATCH,
              "the ConfigMap does not hold what was written to it; find out who else writes it");
      case Standing.Nothing nothing ->
          result.plan() instanceof ProfilePlan.Render
              ? condition(
                  type, FALSE, KmsHealthReasons.NOT_REQUESTED, "no profile is to be published")
              : condition(type, FALSE, KmsHealthReasons.SOURCE_UNAVAILABLE, whyNot(result.plan()));
    };
  }

  private static Condition narrowed(ProfilePlan plan) {
    var type = KmsHealthConditions.TLS_PROFILE_NARROWED;
    return publishedBy(plan)
        .filter(published -> !published.narrowed().isEmpty())
        .map(
            published ->
                condition(
                    type,
                    TRUE,
                    KmsHealthReasons.JVM_LIMITS,
                    "the profile allows more than can be served: "
                        + Shown.names(published.narrowed())))
        .orElseGet(() -> condition(type, FALSE, KmsHealthReasons.AS_EXPECTED, ""));
  }

  private static Condition degraded(PassResult result) {
    var type = KmsHealthConditions.TLS_PROFILE_DEGRADED;
    if (result.plan() instanceof ProfilePlan.Refuse(var why)) {
      return condition(type, TRUE, KmsHealthReasons.TLS_PROFILE_INVALID, why);
    }
    var custom =
        publishedBy(result.plan())
            .filter(published -> !published.predefined() && !published.narrowed().isEmpty());
    if (custom.isPresent()) {
      return condition(
          type,
          TRUE,
          KmsHealthReasons.TLS_PROFILE_NOT_FULLY_HONORED,
          "cannot be served: " + Shown.names(custom.get().narrowed()));
    }
    return result.unpatched().isEmpty()
        ? condition(type, FALSE, KmsHealthReasons.AS_EXPECTED, "")
        : condition(
            type,
            TRUE,
            KmsHealthReasons.CONSUMER_NOT_PATCHED,
            String.join("; ", result.unpatched()));
  }

  private static String whyNot(ProfilePlan plan) {
    return switch (plan) {
      case ProfilePlan.AwaitPlatform(var why) -> "the platform is not known: " + why;
      case ProfilePlan.RefuseFlip flip -> "the platform is in doubt";
      case ProfilePlan.NoSource(var why) -> why;
      case ProfilePlan.Refuse(var why) -> why;
      case ProfilePlan.Render render -> "";
    };
  }

  private static Optional<ProfilePlan.Published> publishedBy(ProfilePlan plan) {
    return plan instanceof ProfilePlan.Render(var platform, var published)
        ? published
        : Optional.empty();
  }

  private static Condition condition(
      String type, ConditionStatus status, String reason, String message) {
    var text =
        message.length() <= LONGEST_MESSAGE
            ? message
            : message.substring(0, LONGEST_MESSAGE - 1) + "…";
    return Condition.of(type, status, reason, text);
  }
}

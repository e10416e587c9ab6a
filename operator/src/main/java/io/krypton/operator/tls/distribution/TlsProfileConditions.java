// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.distribution;

import static io.krypton.api.condition.Condition.ConditionStatus.FALSE;
import static io.krypton.api.condition.Condition.ConditionStatus.TRUE;
import static io.krypton.api.condition.Condition.ConditionStatus.UNKNOWN;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.platform.Platform.PlatformState;
import io.krypton.operator.tls.distribution.TlsProfileReconciler.DistributionResult;
import io.krypton.operator.tls.distribution.TlsProfileReconciler.DistributionResult.Publication;
import io.krypton.operator.tls.profile.TlsProfile.DisplayText;
import java.util.List;
import java.util.Optional;

/** Tells a pass in four conditions. */
final class TlsProfileConditions {
  private static final int LONGEST_MESSAGE = 1024;

  private TlsProfileConditions() {}

  static List<Condition> of(PlatformState platform, DistributionResult result) {
    return List.of(
        detected(platform, result.decision()),
        published(result),
        narrowed(result.decision()),
        degraded(result));
  }

  private static Condition detected(PlatformState platform, TlsProfileDecision plan) {
    var type = KmsHealthConditionTypes.PLATFORM_DETECTED;
    if (plan instanceof TlsProfileDecision.RejectPlatformChange) {
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

  private static Condition published(DistributionResult result) {
    var type = KmsHealthConditionTypes.TLS_PROFILE_PUBLISHED;
    return switch (result.publication()) {
      case Publication.Published published ->
          condition(
              type,
              TRUE,
              KmsHealthReasons.AS_EXPECTED,
              result.decision() instanceof TlsProfileDecision.Distribute
                  ? ""
                  : "the profile that was published before stays in force");
      case Publication.WriteFailed(var why) ->
          condition(type, FALSE, KmsHealthReasons.WRITE_FAILED, why);
      case Publication.ReadBackMismatch mismatch ->
          condition(
              type,
              FALSE,
              KmsHealthReasons.READ_BACK_MISMATCH,
              "the ConfigMap does not hold what was written to it; find out who else writes it");
      case Publication.NotPublished notPublished ->
          result.decision() instanceof TlsProfileDecision.Distribute
              ? condition(
                  type, FALSE, KmsHealthReasons.NOT_REQUESTED, "no profile is to be published")
              : condition(
                  type, FALSE, KmsHealthReasons.SOURCE_UNAVAILABLE, whyNot(result.decision()));
    };
  }

  private static Condition narrowed(TlsProfileDecision plan) {
    var type = KmsHealthConditionTypes.TLS_PROFILE_NARROWED;
    return publishedBy(plan)
        .filter(publishedProfile -> !publishedProfile.narrowed().isEmpty())
        .map(
            publishedProfile ->
                condition(
                    type,
                    TRUE,
                    KmsHealthReasons.JVM_LIMITS,
                    "the profile allows more than can be served: "
                        + DisplayText.abbreviateNames(publishedProfile.narrowed())))
        .orElseGet(() -> condition(type, FALSE, KmsHealthReasons.AS_EXPECTED, ""));
  }

  private static Condition degraded(DistributionResult result) {
    var type = KmsHealthConditionTypes.TLS_PROFILE_DEGRADED;
    if (result.decision() instanceof TlsProfileDecision.Reject(var why)) {
      return condition(type, TRUE, KmsHealthReasons.TLS_PROFILE_INVALID, why);
    }
    var custom =
        publishedBy(result.decision())
            .filter(
                publishedProfile ->
                    !publishedProfile.predefined() && !publishedProfile.narrowed().isEmpty());
    if (custom.isPresent()) {
      return condition(
          type,
          TRUE,
          KmsHealthReasons.TLS_PROFILE_NOT_FULLY_HONORED,
          "cannot be served: " + DisplayText.abbreviateNames(custom.get().narrowed()));
    }
    return result.unpatched().isEmpty()
        ? condition(type, FALSE, KmsHealthReasons.AS_EXPECTED, "")
        : condition(
            type,
            TRUE,
            KmsHealthReasons.CONSUMER_NOT_PATCHED,
            String.join("; ", result.unpatched()));
  }

  private static String whyNot(TlsProfileDecision plan) {
    return switch (plan) {
      case TlsProfileDecision.AwaitPlatform(var why) -> "the platform is not known: " + why;
      case TlsProfileDecision.RejectPlatformChange flip -> "the platform is in doubt";
      case TlsProfileDecision.NoSource(var why) -> why;
      case TlsProfileDecision.Reject(var why) -> why;
      case TlsProfileDecision.Distribute distribute -> "";
    };
  }

  private static Optional<TlsProfileDecision.PublishedProfile> publishedBy(
      TlsProfileDecision plan) {
    return plan instanceof TlsProfileDecision.Distribute(var platform, var published)
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

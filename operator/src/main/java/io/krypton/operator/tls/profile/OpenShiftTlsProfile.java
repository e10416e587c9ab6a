// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.profile;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.operator.tls.profile.TlsProfile.DisplayText;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import java.util.List;
import java.util.Optional;

/** What the object {@code apiservers.config.openshift.io/cluster} says about TLS. */
public final class OpenShiftTlsProfile {
  private OpenShiftTlsProfile() {}

  /** A profile, or why there is none. */
  public sealed interface Resolution {
    /**
     * A profile to go by.
     *
     * @param predefined one that OpenShift ships; what the JVM lacks of it is nobody's mistake
     * @param malformed names in it that cannot be names
     */
    record Resolved(TlsProfile profile, boolean predefined, List<String> malformed)
        implements Resolution {
      public Resolved {
        malformed = List.copyOf(malformed);
      }
    }

    record Unusable(String reason) implements Resolution {}
  }

  /**
   * Resolves {@code spec.tlsSecurityProfile}; absent means Intermediate.
   *
   * @param spec of the object
   */
  public static Resolution resolve(JsonNode spec) {
    var profile = spec.path("tlsSecurityProfile");
    var type = profile.path("type").asText("");
    return switch (type) {
      case "", "Intermediate" -> predefined(PredefinedProfiles.INTERMEDIATE);
      case "Old" -> predefined(PredefinedProfiles.OLD);
      case "Modern" -> predefined(PredefinedProfiles.MODERN);
      case "Custom" -> custom(profile.path("custom"));
      default ->
          new Resolution.Unusable("unknown TLS profile type " + DisplayText.abbreviate(type));
    };
  }

  private static Resolution predefined(TlsProfile profile) {
    return new Resolution.Resolved(profile, true, List.of());
  }

  private static Resolution custom(JsonNode body) {
    if (body.isMissingNode() || body.isNull()) {
      return new Resolution.Unusable("custom TLS profile specified but Custom field is nil");
    }
    return switch (TlsProfileParser.parse(body)) {
      case ParseResult.Parsed(var profile, var malformed) ->
          new Resolution.Resolved(profile, false, malformed);
      case ParseResult.Invalid(var reason) ->
          new Resolution.Unusable("custom TLS profile: " + reason);
    };
  }

  /** Whether components follow the profile of the cluster. */
  public enum Adherence {
    /** Whatever the cluster says about adherence. */
    ALWAYS,
    /** As the cluster says. */
    CLUSTER
  }

  /**
   * Answer to {@link #adherence}.
   *
   * @param warning about a value that we do not know
   */
  public record AdherenceResult(boolean toCluster, Optional<String> warning) {}

  /** A value that a later OpenShift may have added asks for more adherence, not for less. */
  public static AdherenceResult adherence(JsonNode spec, Adherence mode) {
    var value = spec.path("tlsAdherence").asText("");
    return switch (value) {
      case "", "LegacyAdheringComponentsOnly" ->
          new AdherenceResult(mode == Adherence.ALWAYS, Optional.empty());
      case "StrictAllComponents" -> new AdherenceResult(true, Optional.empty());
      default ->
          new AdherenceResult(
              true,
              Optional.of(
                  "tlsAdherence %s is unknown, the profile of the cluster is followed"
                      .formatted(DisplayText.abbreviate(value))));
    };
  }
}

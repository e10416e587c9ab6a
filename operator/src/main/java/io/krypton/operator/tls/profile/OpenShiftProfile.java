package io.krypton.operator.tls.profile;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.List;
import java.util.Optional;

/** What the object {@code apiservers.config.openshift.io/cluster} says about TLS. */
public final class OpenShiftProfile {
  private OpenShiftProfile() {}

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
      default -> new Resolution.Unusable("unknown TLS profile type " + Shown.shortly(type));
    };
  }

  private static Resolution predefined(TlsProfile profile) {
    return new Resolution.Resolved(profile, true, List.of());
  }

  private static Resolution custom(JsonNode body) {
    if (body.isMissingNode() || body.isNull()) {
      return new Resolution.Unusable("custom TLS profile specified but Custom field is nil");
    }
    return switch (ProfileFile.read(body)) {
      case ProfileReading.Read(var profile, var malformed) ->
          new Resolution.Resolved(profile, false, malformed);
      case ProfileReading.Unreadable(var reason) ->
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
  public record Adhering(boolean toCluster, Optional<String> warning) {}

  /** A value that a later OpenShift may have added asks for more adherence, not for less. */
  public static Adhering adherence(JsonNode spec, Adherence mode) {
    var value = spec.path("tlsAdherence").asText("");
    return switch (value) {
      case "", "LegacyAdheringComponentsOnly" ->
          new Adhering(mode == Adherence.ALWAYS, Optional.empty());
      case "StrictAllComponents" -> new Adhering(true, Optional.empty());
      default ->
          new Adhering(
              true,
              Optional.of(
                  "tlsAdherence %s is unknown, the profile of the cluster is followed"
                      .formatted(Shown.shortly(value))));
    };
  }
}

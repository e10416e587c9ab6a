package io.krypton.operator.platform;

import io.krypton.api.TlsProfileNames;
import java.util.Map;
import java.util.Optional;

/**
 * The platform as the operator hands it to its consumers, by literal variables. Anything else than
 * the exact words counts as unknown.
 *
 * @param warning about variables that disagree or cannot be understood
 */
public record PlatformEnvironment(Optional<Platform> platform, Optional<String> warning) {
  public static PlatformEnvironment fromEnvironment(Map<String, String> environment) {
    var name = environment.getOrDefault(TlsProfileNames.PLATFORM_VARIABLE, "");
    var flag = environment.getOrDefault(TlsProfileNames.IS_OPENSHIFT, "");
    var byName = Platform.named(name);
    var byFlag = byFlag(flag);
    if (!name.isEmpty() && byName.isEmpty()) {
      return new PlatformEnvironment(
          byFlag, warning(TlsProfileNames.PLATFORM_VARIABLE, name, "openshift or kubernetes"));
    }
    if (byName.isPresent()) {
      return new PlatformEnvironment(
          byName,
          byFlag.isPresent() && !byFlag.equals(byName)
              ? Optional.of(
                  "%s=%s and %s=%s disagree; the first one counts"
                      .formatted(
                          TlsProfileNames.PLATFORM_VARIABLE,
                          name,
                          TlsProfileNames.IS_OPENSHIFT,
                          flag))
              : Optional.empty());
    }
    return new PlatformEnvironment(
        byFlag,
        flag.isEmpty() || byFlag.isPresent()
            ? Optional.empty()
            : warning(TlsProfileNames.IS_OPENSHIFT, flag, "true or false"));
  }

  private static Optional<Platform> byFlag(String flag) {
    return switch (flag) {
      case "true" -> Optional.of(Platform.OPENSHIFT);
      case "false" -> Optional.of(Platform.KUBERNETES);
      default -> Optional.empty();
    };
  }

  private static Optional<String> warning(String variable, String value, String allowed) {
    return Optional.of(
        "%s=%s is not understood and ignored; use %s".formatted(variable, value, allowed));
  }
}

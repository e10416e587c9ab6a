package io.krypton.operator.platform;

import java.util.Arrays;
import java.util.Optional;

/** What kind of cluster we run on. */
public enum Platform {
  OPENSHIFT("openshift"),
  KUBERNETES("kubernetes");

  private final String value;

  Platform(String word) {
    this.value = word;
  }

  public static Optional<Platform> named(String word) {
    return Arrays.stream(values()).filter(platform -> platform.value.equals(word)).findFirst();
  }

  /** As settings, annotations and metrics spell it. */
  public String value() {
    return value;
  }

  /** What is known about the platform; not knowing is a state of its own. */
  public sealed interface PlatformState {
    /** Nobody has said, and detection has not come to an end. */
    record Unknown(String why) implements PlatformState {}

    /** Said by a setting. */
    record Configured(Platform platform) implements PlatformState {}

    /** Found by asking; holds for the life of the process. */
    record Detected(Platform platform) implements PlatformState {}

    default Optional<Platform> known() {
      return switch (this) {
        case Unknown unknown -> Optional.empty();
        case Configured(var platform) -> Optional.of(platform);
        case Detected(var platform) -> Optional.of(platform);
      };
    }
  }
}

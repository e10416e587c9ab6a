package io.krypton.operator.platform;

import java.util.Optional;

/** What is known about the platform; not knowing is a state of its own. */
public sealed interface PlatformState {
  /** Nobody has said, and detection has not come to an end. */
  record Unknown(String why) implements PlatformState {}

  /** Said by a setting. */
  record Given(Platform platform) implements PlatformState {}

  /** Found by asking; holds for the life of the process. */
  record Detected(Platform platform) implements PlatformState {}

  default Optional<Platform> known() {
    return switch (this) {
      case Unknown unknown -> Optional.empty();
      case Given(var platform) -> Optional.of(platform);
      case Detected(var platform) -> Optional.of(platform);
    };
  }
}

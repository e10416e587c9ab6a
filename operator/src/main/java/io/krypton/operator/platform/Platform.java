// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.platform;

import java.util.Arrays;
import java.util.Optional;

/** What kind of cluster we run on. */
public enum Platform {
  OPENSHIFT("openshift"),
  KUBERNETES("kubernetes");

  private final String value;

  Platform(String value) {
    this.value = value;
  }

  public static Optional<Platform> named(String value) {
    return Arrays.stream(values()).filter(platform -> platform.value.equals(value)).findFirst();
  }

  /** As settings, annotations and metrics spell it. */
  public String value() {
    return value;
  }

  /** What is known about the platform; not knowing is a state of its own. */
  public sealed interface PlatformState {
    /** Not set and not detected yet. */
    record Unknown(String why) implements PlatformState {}

    /** Set by a flag. */
    record Configured(Platform platform) implements PlatformState {}

    /** Detected; holds for the life of the process. */
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

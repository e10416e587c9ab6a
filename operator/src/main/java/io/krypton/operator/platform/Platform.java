package io.krypton.operator.platform;

import java.util.Arrays;
import java.util.Optional;

/** What kind of cluster we run on. */
public enum Platform {
  OPENSHIFT("openshift"),
  KUBERNETES("kubernetes");

  private final String word;

  Platform(String word) {
    this.word = word;
  }

  public static Optional<Platform> named(String word) {
    return Arrays.stream(values()).filter(platform -> platform.word.equals(word)).findFirst();
  }

  /** As settings, annotations and metrics spell it. */
  public String word() {
    return word;
  }
}

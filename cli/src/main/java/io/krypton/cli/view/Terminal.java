package io.krypton.cli.view;

import java.util.Map;

/** Whether somebody looks at the output, as the launcher found it out. */
public final class Terminal {
  /** Set by the launcher: the JVM cannot tell for standard output alone. */
  static final String PROPERTY = "krypton.terminal";

  private Terminal() {}

  public static boolean hasColours() {
    return hasColours(System.getenv(), Boolean.getBoolean(PROPERTY));
  }

  static boolean hasColours(Map<String, String> environment, boolean terminal) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }
}

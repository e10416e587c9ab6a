// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.view;

import java.util.Map;

/** Whether somebody looks at the output, as the launcher found it out. */
public final class Terminal {
  /** Set by the launcher: the JVM cannot tell for standard output alone. */
  static final String PROPERTY = "krypton.terminal";

  /** Set by the launcher: how wide the terminal behind standard error is, 0 if there is none. */
  static final String ERROR_COLUMNS = "krypton.stderr.columns";

  private Terminal() {}

  public static boolean hasColours() {
    return hasColours(System.getenv(), Boolean.getBoolean(PROPERTY));
  }

  /** How wide a line on standard error may be to be drawn again in place; 0 if it cannot be. */
  public static int redrawnColumns() {
    return redrawnColumns(System.getenv(), Integer.getInteger(ERROR_COLUMNS, 0));
  }

  static int redrawnColumns(Map<String, String> environment, int columns) {
    return hasColours(environment, columns > 0) ? columns : 0;
  }

  static boolean hasColours(Map<String, String> environment, boolean terminal) {
    return terminal
        && environment.getOrDefault("NO_COLOR", "").isEmpty()
        && !environment.getOrDefault("TERM", "").equals("dumb");
  }

  /** How a piece of text is meant; on a terminal it shows as a colour. */
  public enum TextStyle {
    PLAIN(""),
    GOOD("\033[32m"),
    WARNING("\033[33m"),
    BAD("\033[31m"),
    FAINT("\033[2m"),
    STRONG("\033[1m");

    private static final String END = "\033[0m";

    private final String code;

    TextStyle(String code) {
      this.code = code;
    }

    public String paint(String text, boolean colours) {
      return colours && this != PLAIN && !text.isEmpty() ? code + text + END : text;
    }

    /** The tone of a phase, a state or a status that users know. */
    public static TextStyle of(String word) {
      return switch (word) {
        case "Ready", "Engaged", "Reachable", "Healthy" -> GOOD;
        case "Error", "Unreachable", "Rejected", "Degraded" -> BAD;
        case "-" -> FAINT;
        default -> WARNING;
      };
    }
  }
}

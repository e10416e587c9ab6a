package io.krypton.cli.view;

/** How a piece of text is meant; on a terminal it shows as a colour. */
public enum Tone {
  PLAIN(""),
  GOOD("\033[32m"),
  WARNING("\033[33m"),
  BAD("\033[31m"),
  FAINT("\033[2m"),
  STRONG("\033[1m");

  private static final String END = "\033[0m";

  private final String code;

  Tone(String code) {
    this.code = code;
  }

  public String paint(String text, boolean colours) {
    return colours && this != PLAIN && !text.isEmpty() ? code + text + END : text;
  }

  /** The tone of a phase, a state or a status that users know. */
  public static Tone of(String word) {
    return switch (word) {
      case "Ready", "Engaged", "Reachable", "Healthy" -> GOOD;
      case "Error", "Unreachable", "Rejected", "Degraded" -> BAD;
      case "-" -> FAINT;
      default -> WARNING;
    };
  }
}

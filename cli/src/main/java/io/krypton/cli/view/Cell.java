package io.krypton.cli.view;

import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * One field of a table; always one line.
 *
 * @param passing changes by itself, such as an age, so that a change is no news
 */
public record Cell(String text, Tone tone, boolean passing) {
  private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

  public Cell {
    // Texts of others may hold sequences that a terminal obeys.
    text = text.isBlank() ? "-" : CONTROL.matcher(firstLine(text)).replaceAll(" ");
  }

  private static String firstLine(String text) {
    return text.lines().findFirst().orElse("-").strip();
  }

  public Cell(String text, Tone tone) {
    this(text, tone, false);
  }

  public static Cell of(@Nullable Object value) {
    return new Cell(value == null ? "" : value.toString(), Tone.PLAIN);
  }

  public static Cell passing(@Nullable Object value) {
    return new Cell(value == null ? "" : value.toString(), Tone.PLAIN, true);
  }

  boolean saysTheSameAs(Cell other) {
    return passing ? other.passing : equals(other);
  }

  /** A word whose meaning shows in its colour. */
  public static Cell state(@Nullable String word) {
    var text = word == null || word.isEmpty() ? "-" : word;
    return new Cell(text, Tone.of(text));
  }
}

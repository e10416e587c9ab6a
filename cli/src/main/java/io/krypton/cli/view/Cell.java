package io.krypton.cli.view;

import org.jspecify.annotations.Nullable;

/** One field of a table; always one line. */
public record Cell(String text, Tone tone) {
  public Cell {
    text = text.isBlank() ? "-" : text.lines().findFirst().orElse("-").strip();
  }

  public static Cell of(@Nullable Object value) {
    return new Cell(value == null ? "" : value.toString(), Tone.PLAIN);
  }

  /** A word whose meaning shows in its colour. */
  public static Cell state(@Nullable String word) {
    var text = word == null || word.isEmpty() ? "-" : word;
    return new Cell(text, Tone.of(text));
  }
}

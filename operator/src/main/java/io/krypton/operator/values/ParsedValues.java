package io.krypton.operator.values;

/** Values read from YAML, or what is wrong with the text. */
public sealed interface ParsedValues {

  record Parsed(Values values) implements ParsedValues {}

  /** The message names the origin and the place, never the content. */
  record Invalid(String message) implements ParsedValues {}
}

package io.krypton.operator.kmshealth.publish;

/** How the removal of what a dead reporter left ended. */
public sealed interface Removal {
  record Done() implements Removal {}

  /**
   * Something is left, because others wrote at the same time or the API server refused.
   *
   * @param why a short text that stays the same as long as the cause does
   */
  record Unfinished(String why) implements Removal {}
}

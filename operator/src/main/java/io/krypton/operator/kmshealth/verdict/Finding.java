package io.krypton.operator.kmshealth.verdict;

import org.jspecify.annotations.Nullable;

/** What is known about one plugin of one node. */
public sealed interface Finding {
  Finding GOOD = new Good();
  Finding WAITING = new Waiting();

  record Good() implements Finding {}

  /** Cannot be told yet: it neither worsens nor cures. */
  record Waiting() implements Finding {}

  /**
   * Something is wrong.
   *
   * @param cause one word of the reporter, already checked
   * @param detail more of its words, already cleaned
   * @param silent the reporter has not been heard of since
   */
  record Failing(Trouble trouble, @Nullable String cause, @Nullable String detail, boolean silent)
      implements Finding {
    static Failing of(Trouble trouble) {
      return new Failing(trouble, null, null, false);
    }
  }
}

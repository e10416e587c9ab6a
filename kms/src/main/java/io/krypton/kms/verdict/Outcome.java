package io.krypton.kms.verdict;

/** What one probe found. */
public sealed interface Outcome {
  /** All checks were good. */
  record Good() implements Outcome {}

  /** Something is odd but may be a rotation in progress; neither good nor a failure yet. */
  record Suspect(Finding finding) implements Outcome {}

  record Failing(Finding finding) implements Outcome {}

  Outcome GOOD = new Good();
}

package io.krypton.operator.kmshealth.verdict;

/** Something about a node that users should know once, although it changes no verdict. */
public record Notice(Kind kind, String node) {

  /** Each is the reason of an event. */
  public enum Kind {
    CLOCK_SKEW("ClockSkew"),
    DUPLICATE_REPORTER("DuplicateReporter"),
    UNEXPECTED_REPORTER("UnexpectedReporter");

    private final String reason;

    Kind(String reason) {
      this.reason = reason;
    }

    public String reason() {
      return reason;
    }
  }
}

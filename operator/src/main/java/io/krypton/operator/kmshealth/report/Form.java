package io.krypton.operator.kmshealth.report;

/** The three forms of a report, in the order in which they came into use. */
public enum Form {
  /** A condition whose message has one line of {@code key=value} for each plugin. */
  LINES,
  /** A condition whose message is a JSON array. */
  JSON,
  /** Entries of the typed list. */
  TYPED
}

package io.krypton.operator.kmshealth.report;

/** What a report says about a plugin. Of two lines about the same plugin the later value counts. */
public enum Reported {
  HEALTHY,
  /** Its line cannot be read. */
  MALFORMED,
  /** It does not answer. */
  ERROR,
  /** It answers, but not as it should. */
  UNHEALTHY
}

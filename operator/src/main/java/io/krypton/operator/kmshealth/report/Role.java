package io.krypton.operator.kmshealth.report;

/** What the API server of a node uses a plugin for, as far as its reporter knows. */
public enum Role {
  /** It encrypts. */
  WRITE,
  /** It only decrypts. */
  READ
}

package io.krypton.operator.release;

import java.util.Arrays;

/** The states Helm writes to the label {@code status} of a revision. */
public enum ReleaseStatus {
  DEPLOYED("deployed"),
  SUPERSEDED("superseded"),
  FAILED("failed"),
  PENDING_INSTALL("pending-install"),
  PENDING_UPGRADE("pending-upgrade"),
  PENDING_ROLLBACK("pending-rollback"),
  UNINSTALLING("uninstalling"),
  UNINSTALLED("uninstalled"),
  UNKNOWN("unknown");

  private final String word;

  ReleaseStatus(String word) {
    this.word = word;
  }

  public static ReleaseStatus of(String word) {
    return Arrays.stream(values())
        .filter(status -> status.word.equals(word))
        .findFirst()
        .orElse(UNKNOWN);
  }

  public boolean isPending() {
    return this == PENDING_INSTALL || this == PENDING_UPGRADE || this == PENDING_ROLLBACK;
  }

  @Override
  public String toString() {
    return word;
  }
}

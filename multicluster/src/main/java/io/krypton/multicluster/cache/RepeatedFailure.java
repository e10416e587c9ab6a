// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

/** Counts failures of the same class in a row, to log the first and then ever fewer. */
public record RepeatedFailure(String reason, int count) {
  public static final RepeatedFailure NONE = new RepeatedFailure("", 0);

  public RepeatedFailure next(String failure) {
    return failure.equals(reason)
        ? new RepeatedFailure(failure, count + 1)
        : new RepeatedFailure(failure, 1);
  }

  /** The 1st, 2nd, 4th, 8th … in a row. */
  public boolean shouldLog() {
    return Integer.bitCount(count) == 1;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import java.util.Locale;

/** What an API server that starts now has to expect; later constants are worse. */
public enum Verdict {
  /** It can read and write its data. */
  OK,
  /** Not now; trying again may help. */
  WAIT,
  /** Trying again will not help, somebody has to act. */
  FATAL;

  public Verdict orWorse(Verdict other) {
    return compareTo(other) >= 0 ? this : other;
  }

  /** In lower case, as headers and metrics have it. */
  public String value() {
    return name().toLowerCase(Locale.ROOT);
  }
}

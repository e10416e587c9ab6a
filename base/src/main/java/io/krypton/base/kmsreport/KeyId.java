// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.math.BigInteger;
import java.util.Optional;
import java.util.regex.Pattern;

/** The serial number of a plugin configuration; a higher one is newer. Not the remote key's id. */
public record KeyId(BigInteger number) implements Comparable<KeyId> {
  private static final Pattern DIGITS =
      Pattern.compile("[0-9]{1," + ReportLimits.MAX_KEY_ID_DIGITS + "}");

  public KeyId {
    if (number.signum() < 0) {
      throw new IllegalArgumentException("a key id is not negative: " + number);
    }
  }

  public static KeyId of(long number) {
    return new KeyId(BigInteger.valueOf(number));
  }

  /** Empty if the text is no number, or one too long to be meant. */
  public static Optional<KeyId> parse(String text) {
    return DIGITS.matcher(text).matches()
        ? Optional.of(new KeyId(new BigInteger(text)))
        : Optional.empty();
  }

  @Override
  public int compareTo(KeyId other) {
    return number.compareTo(other.number);
  }

  @Override
  public String toString() {
    return number.toString();
  }
}

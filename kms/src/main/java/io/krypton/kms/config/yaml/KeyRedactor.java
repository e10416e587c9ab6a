// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

/**
 * What a message may repeat of the file. Keys have their place, which no message shows; this is the
 * net for a key that was pasted into the wrong place, such as a resource or provider name.
 */
public final class KeyRedactor {
  public static final String REDACTED = "REDACTED";

  /** Half of the shortest key (16 bytes in base64 are 22 characters and padding). */
  private static final int SUSPICIOUS_RUN = 12;

  private KeyRedactor() {}

  public static String redact(String text) {
    return looksLikeKey(text) ? REDACTED : text;
  }

  /**
   * A long run of letters and digits that mixes upper case, lower case and digits. Names, groups,
   * socket paths and UUIDs do not look like that; the slash of base64 is left out, because paths
   * would.
   */
  static boolean looksLikeKey(String text) {
    int length = 0;
    boolean upper = false;
    boolean lower = false;
    boolean digit = false;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      boolean isUpper = c >= 'A' && c <= 'Z';
      boolean isLower = c >= 'a' && c <= 'z';
      boolean isDigit = c >= '0' && c <= '9';
      if (!isUpper && !isLower && !isDigit && c != '+') {
        length = 0;
        upper = lower = digit = false;
        continue;
      }
      length++;
      upper |= isUpper;
      lower |= isLower;
      digit |= isDigit;
      if (length >= SUSPICIOUS_RUN && upper && lower && digit) {
        return true;
      }
    }
    return false;
  }
}

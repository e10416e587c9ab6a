// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

import java.util.OptionalInt;

/**
 * How many bytes a base64 text stands for, without decoding it: keys are measured, never held. Line
 * breaks are skipped and padding is required, as in Go.
 */
public final class Base64Length {
  private Base64Length() {}

  /** Empty when the text is not base64. */
  public static OptionalInt of(String text) {
    int characters = 0;
    int padding = 0;
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (c == '\r' || c == '\n') {
        continue;
      }
      if (c == '=') {
        padding++;
      } else if (padding > 0 || !isInAlphabet(c)) {
        return OptionalInt.empty();
      }
      characters++;
    }
    boolean complete = characters % 4 == 0 && padding <= 2;
    return complete ? OptionalInt.of(characters / 4 * 3 - padding) : OptionalInt.empty();
  }

  private static boolean isInAlphabet(char c) {
    return (c >= 'A' && c <= 'Z')
        || (c >= 'a' && c <= 'z')
        || (c >= '0' && c <= '9')
        || c == '+'
        || c == '/';
  }
}

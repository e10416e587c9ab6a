// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import java.util.Locale;
import java.util.Optional;

/** Booleans as flags of Go programs write them. */
public final class GoBool {
  private GoBool() {}

  /** Every spelling that {@code strconv.ParseBool} takes, and no other. */
  public static Optional<Boolean> parse(String text) {
    return switch (text) {
      case "1", "t", "T", "TRUE", "true", "True" -> Optional.of(true);
      case "0", "f", "F", "FALSE", "false", "False" -> Optional.of(false);
      default -> Optional.empty();
    };
  }

  /** Those of Go in any case, and {@code yes} and {@code no}: what people write into manifests. */
  public static Optional<Boolean> parseLenient(String text) {
    return switch (text.toLowerCase(Locale.ROOT)) {
      case "1", "t", "true", "yes" -> Optional.of(true);
      case "0", "f", "false", "no" -> Optional.of(false);
      default -> Optional.empty();
    };
  }
}

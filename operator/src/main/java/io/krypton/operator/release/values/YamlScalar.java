// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import java.math.BigInteger;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What an unquoted YAML word means to Helm, which follows YAML 1.1 with Go's number syntax.
 *
 * <p>Other readers disagree where it hurts: to Jackson {@code no} is a text (and true in a
 * template), to plain SnakeYAML {@code 22:30} is the number 1350.
 */
final class YamlScalar {
  private static final Set<String> TRUE =
      Set.of("y", "Y", "yes", "Yes", "YES", "true", "True", "TRUE", "on", "On", "ON");
  private static final Set<String> FALSE =
      Set.of("n", "N", "no", "No", "NO", "false", "False", "FALSE", "off", "Off", "OFF");
  private static final Set<String> NULL = Set.of("", "~", "null", "Null", "NULL");
  private static final Set<String> NOT_IN_JSON =
      Set.of(
          ".nan", ".NaN", ".NAN", ".inf", ".Inf", ".INF", "+.inf", "+.Inf", "+.INF", "-.inf",
          "-.Inf", "-.INF");
  private static final Pattern INTEGER =
      Pattern.compile("([-+]?)(0[xX]|0[bB]|0[oO]|0(?=[0-7]))?([0-9a-fA-F]+)");
  private static final Pattern FLOAT =
      Pattern.compile("[-+]?(\\.[0-9]+|[0-9]+(\\.[0-9]*)?)([eE][-+]?[0-9]+)?");
  private static final BigInteger LOWEST = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger ABOVE_HIGHEST = BigInteger.ONE.shiftLeft(64);

  private YamlScalar() {}

  static boolean isOutsideJson(String word) {
    return NOT_IN_JSON.contains(word);
  }

  static @Nullable Object read(String word) {
    if (NULL.contains(word)) {
      return null;
    }
    if (TRUE.contains(word)) {
      return true;
    }
    if (FALSE.contains(word)) {
      return false;
    }
    return mayBeANumber(word.charAt(0)) ? numberOrText(word) : word;
  }

  private static boolean mayBeANumber(char first) {
    return (first >= '0' && first <= '9') || first == '+' || first == '-' || first == '.';
  }

  private static Object numberOrText(String word) {
    var plain = word.charAt(0) == '.' ? word : word.replace("_", "");
    var integer = integer(plain);
    if (integer != null) {
      return integer;
    }
    if (FLOAT.matcher(plain).matches()) {
      var number = Double.parseDouble(plain);
      return Double.isInfinite(number) ? word : JsonNumbers.normalize(number);
    }
    return word;
  }

  private static @Nullable Number integer(String plain) {
    var match = INTEGER.matcher(plain);
    if (!match.matches()) {
      return null;
    }
    var radix = radix(match.group(2));
    var digits = match.group(3);
    if (!digits.chars().allMatch(digit -> Character.digit(digit, radix) >= 0)) {
      return null;
    }
    var value = new BigInteger(match.group(1).equals("-") ? "-" + digits : digits, radix);
    var fits = value.compareTo(LOWEST) >= 0 && value.compareTo(ABOVE_HIGHEST) < 0;
    return fits ? JsonNumbers.normalize(value) : null;
  }

  private static int radix(@Nullable String prefix) {
    if (prefix == null) {
      return 10;
    }
    return switch (prefix) {
      case "0x", "0X" -> 16;
      case "0b", "0B" -> 2;
      default -> 8;
    };
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import java.math.BigDecimal;
import java.math.BigInteger;

/** One Java form and one text for each JSON number, so that 2, 2.0 and 2e0 are the same value. */
final class JsonNumbers {
  private static final BigInteger LOWEST_LONG = BigInteger.valueOf(Long.MIN_VALUE);
  private static final BigInteger HIGHEST_LONG = BigInteger.valueOf(Long.MAX_VALUE);
  // Beyond these magnitudes the shortest JSON text has an exponent.
  private static final int PLAIN_BELOW_EXPONENT = 21;
  private static final int PLAIN_FROM_EXPONENT = -6;

  private JsonNumbers() {}

  /** A Long if it is a whole number that fits, else a BigInteger, else a Double. */
  static Number normalize(Number number) {
    return switch (number) {
      case Double real -> whole(new BigDecimal(real), real); // refuses infinity and not-a-number
      case Float real -> normalize(Double.parseDouble(real.toString()));
      case BigDecimal decimal -> whole(decimal, decimal.doubleValue());
      case BigInteger integer -> smallest(integer);
      default -> number.longValue();
    };
  }

  /** The shortest JSON text of a normal number. */
  static String text(Number normal) {
    if (!(normal instanceof Double real)) {
      return normal.toString();
    }
    var decimal = new BigDecimal(Double.toString(real)).stripTrailingZeros();
    var exponent = decimal.precision() - decimal.scale() - 1;
    if (exponent >= PLAIN_FROM_EXPONENT && exponent < PLAIN_BELOW_EXPONENT) {
      return decimal.toPlainString();
    }
    var digits = decimal.unscaledValue().abs().toString();
    var fraction = digits.length() > 1 ? "." + digits.substring(1) : "";
    return (decimal.signum() < 0 ? "-" : "")
        + digits.charAt(0)
        + fraction
        + (exponent < 0 ? "e-" : "e+")
        + Math.abs(exponent);
  }

  private static Number whole(BigDecimal exact, double real) {
    var isWhole = exact.signum() == 0 || exact.stripTrailingZeros().scale() <= 0;
    // Not through toBigInteger for huge exponents: 1e999999 would become a million digits.
    if (isWhole && Math.abs(real) < 1e18) {
      return exact.longValueExact();
    }
    if (Double.isInfinite(real)) {
      throw new NumberFormatException("beyond the range of JSON numbers");
    }
    return real;
  }

  private static Number smallest(BigInteger integer) {
    var fits = integer.compareTo(LOWEST_LONG) >= 0 && integer.compareTo(HIGHEST_LONG) <= 0;
    return fits ? integer.longValueExact() : integer;
  }
}

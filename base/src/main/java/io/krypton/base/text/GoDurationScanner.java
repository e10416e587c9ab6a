// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import io.krypton.base.text.GoDuration.Problem;
import java.time.Duration;

/** Goes through one text as Go does; amounts are unsigned and at most 2^63. */
final class GoDurationScanner {
  /** 2^63 as an unsigned number: the size of the most negative duration. */
  private static final long LIMIT = Long.MIN_VALUE;

  private static final double TWO_TO_63 = 0x1p63;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final String text;
  private int at;

  private GoDurationScanner(String text) {
    this.text = text;
  }

  /** The text is no duration; costs no stack, because texts come from outside. */
  static final class InvalidException extends Exception {
    private final Problem problem;
    private final String unit;

    private InvalidException(Problem problem, String unit) {
      super(null, null, false, false);
      this.problem = problem;
      this.unit = unit;
    }

    Problem problem() {
      return problem;
    }

    String unit() {
      return unit;
    }

    private static InvalidException malformed() {
      return new InvalidException(Problem.MALFORMED, "");
    }
  }

  static Duration scan(String text) throws InvalidException {
    return new GoDurationScanner(text).duration();
  }

  private Duration duration() throws InvalidException {
    boolean negative = text.startsWith("-");
    at = negative || text.startsWith("+") ? 1 : 0;
    if (text.substring(at).equals("0")) {
      return Duration.ZERO;
    }
    if (at == text.length()) {
      throw InvalidException.malformed();
    }
    long total = 0;
    while (at < text.length()) {
      total = sum(total, part());
    }
    if (negative) {
      return Duration.ofNanos(-total);
    }
    if (total == LIMIT) {
      throw InvalidException.malformed();
    }
    return Duration.ofNanos(total);
  }

  private long part() throws InvalidException {
    int start = at;
    long whole = leadingInteger();
    boolean digits = at > start;
    var fraction = new Fraction(0, 1);
    if (at < text.length() && text.charAt(at) == '.') {
      at++;
      int afterPoint = at;
      fraction = leadingFraction();
      digits |= at > afterPoint;
    }
    if (!digits) {
      throw InvalidException.malformed();
    }
    var name = unit();
    if (name.isEmpty()) {
      throw new InvalidException(Problem.MISSING_UNIT, "");
    }
    long unit = nanosOf(name);
    if (Long.compareUnsigned(whole, Long.divideUnsigned(LIMIT, unit)) > 0) {
      throw InvalidException.malformed();
    }
    return sum(whole * unit, fraction.of(unit));
  }

  private static long sum(long a, long b) throws InvalidException {
    if (Long.compareUnsigned(a, LIMIT - b) > 0) {
      throw InvalidException.malformed();
    }
    return a + b;
  }

  private long leadingInteger() throws InvalidException {
    long value = 0;
    for (; at < text.length() && isDigit(text.charAt(at)); at++) {
      if (Long.compareUnsigned(value, Long.divideUnsigned(LIMIT, 10)) > 0) {
        throw InvalidException.malformed();
      }
      value = value * 10 + (text.charAt(at) - '0');
      if (Long.compareUnsigned(value, LIMIT) > 0) {
        throw InvalidException.malformed();
      }
    }
    return value;
  }

  /** Digits that do not fit any more are read and do not count. */
  private Fraction leadingFraction() {
    long value = 0;
    double scale = 1;
    boolean full = false;
    for (; at < text.length() && isDigit(text.charAt(at)); at++) {
      full |= Long.compareUnsigned(value, Long.MAX_VALUE / 10) > 0;
      long next = value * 10 + (text.charAt(at) - '0');
      full |= !full && Long.compareUnsigned(next, LIMIT) > 0;
      if (!full) {
        value = next;
        scale *= 10;
      }
    }
    return new Fraction(value, scale);
  }

  private String unit() {
    int start = at;
    while (at < text.length() && text.charAt(at) != '.' && !isDigit(text.charAt(at))) {
      at++;
    }
    return text.substring(start, at);
  }

  private static boolean isDigit(char c) {
    return c >= '0' && c <= '9';
  }

  private static long nanosOf(String unit) throws InvalidException {
    return switch (unit) {
      case "ns" -> 1;
      case "us", "\u00b5s", "\u03bcs" -> 1_000;
      case "ms" -> 1_000_000;
      case "s" -> NANOS_PER_SECOND;
      case "m" -> 60 * NANOS_PER_SECOND;
      case "h" -> 3_600 * NANOS_PER_SECOND;
      default -> throw new InvalidException(Problem.UNKNOWN_UNIT, unit);
    };
  }

  private record Fraction(long digits, double scale) {
    /** In this order, because the rounding of each step is part of the result. */
    long of(long unit) {
      double size = digits < 0 ? TWO_TO_63 : (double) digits;
      return (long) (size * (unit / scale));
    }
  }
}

package io.krypton.base.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * Durations as Go writes them: {@code 300ms}, {@code 1.5h}, {@code 1m30s}, {@code 0}.
 *
 * <p>{@link #parse} accepts what {@code time.ParseDuration} accepts and gives the same nanoseconds,
 * also for fractions of any length: it does the arithmetic of Go, in the same order and in the same
 * floating point type.
 */
public final class GoDuration {
  /** 2^63 as an unsigned number: the size of the most negative duration. */
  private static final long LIMIT = Long.MIN_VALUE;

  private static final double TWO_TO_63 = 0x1p63;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private GoDuration() {}

  /** The duration, or why the text is none. */
  public sealed interface Parsed {
    record Valid(Duration value) implements Parsed {}

    record Invalid(Problem problem, String given, String unit) implements Parsed {
      /** The message of Go. */
      public String message() {
        return message(text -> text);
      }

      /**
       * The message of Go.
       *
       * @param shown decides what may be shown of a text from outside
       */
      public String message(UnaryOperator<String> shown) {
        var what =
            switch (problem) {
              case MALFORMED -> "invalid duration";
              case MISSING_UNIT -> "missing unit in duration";
              case UNKNOWN_UNIT ->
                  "unknown unit %s in duration".formatted(quote(shown.apply(unit)));
            };
        return "time: %s %s".formatted(what, quote(shown.apply(given)));
      }
    }
  }

  /** What is wrong with a text. */
  public enum Problem {
    /** Not of the form of a duration, or too long for 64 bits of nanoseconds. */
    MALFORMED,
    MISSING_UNIT,
    UNKNOWN_UNIT
  }

  /** Empty when the text is not a duration, or one too long to count in nanoseconds. */
  public static Optional<Duration> parse(String text) {
    return read(text) instanceof Parsed.Valid(var value) ? Optional.of(value) : Optional.empty();
  }

  /** Like {@link #parse}; a plain number of at most nine digits counts seconds. */
  public static Optional<Duration> parseOrSeconds(String text) {
    return text.matches("\\d{1,9}")
        ? Optional.of(Duration.ofSeconds(Long.parseLong(text)))
        : parse(text);
  }

  /** Like {@link #parse}, and says why not. */
  public static Parsed read(String text) {
    try {
      return new Parsed.Valid(new Scanner(text).duration());
    } catch (InvalidException invalid) {
      return new Parsed.Invalid(invalid.problem, text, invalid.unit);
    }
  }

  /** As Go's {@code String()} writes it: {@code 1h0m0s}, {@code 1.5s}, {@code 0s}. */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    var sign = duration.isNegative() ? "-" : "";
    var size = duration.abs();
    if (size.toSeconds() == 0) {
      return sign + belowOneSecond(size.toNanosPart());
    }
    var hours = size.toHours() > 0 ? size.toHours() + "h" : "";
    var minutes = size.toMinutes() > 0 ? size.toMinutesPart() + "m" : "";
    var nanos = size.toSecondsPart() * NANOS_PER_SECOND + size.toNanosPart();
    return sign + hours + minutes + decimal(nanos, 9) + "s";
  }

  /** Whole amounts, without parts that are zero: {@code 30s}, {@code 1h}, {@code 1s250ms}. */
  public static String compact(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    var size = duration.abs();
    var text = new StringBuilder(duration.isNegative() ? "-" : "");
    append(text, size.toHours(), "h");
    append(text, size.toMinutesPart(), "m");
    append(text, size.toSecondsPart(), "s");
    append(text, size.toMillisPart(), "ms");
    append(text, size.toNanosPart() % 1_000_000, "ns");
    return text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }

  private static String belowOneSecond(int nanos) {
    if (nanos < 1_000) {
      return nanos + "ns";
    }
    return nanos < 1_000_000 ? decimal(nanos, 3) + "µs" : decimal(nanos, 6) + "ms";
  }

  private static String decimal(long unscaled, int scale) {
    return BigDecimal.valueOf(unscaled, scale).stripTrailingZeros().toPlainString();
  }

  /** Go's package time has quotes of its own: everything that is not ASCII appears as bytes. */
  private static String quote(String text) {
    var out = new StringBuilder("\"");
    for (byte b : text.getBytes(UTF_8)) {
      if (b < ' ') {
        out.append("\\x%02x".formatted(b & 0xff));
      } else {
        out.append(b == '"' || b == '\\' ? "\\" : "").append((char) b);
      }
    }
    return out.append('"').toString();
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

  private static final class InvalidException extends Exception {
    private final Problem problem;
    private final String unit;

    InvalidException(Problem problem, String unit) {
      super(null, null, false, false);
      this.problem = problem;
      this.unit = unit;
    }

    static InvalidException malformed() {
      return new InvalidException(Problem.MALFORMED, "");
    }
  }

  /** Goes through one text; amounts are unsigned and at most 2^63, as in Go. */
  private static final class Scanner {
    private final String text;
    private int at;

    Scanner(String text) {
      this.text = text;
    }

    Duration duration() throws InvalidException {
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
  }

  private record Fraction(long digits, double scale) {
    /** In this order, because the rounding of each step is part of the result. */
    long of(long unit) {
      double size = digits < 0 ? TWO_TO_63 : (double) digits;
      return (long) (size * (unit / scale));
    }
  }
}

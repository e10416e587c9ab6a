// SPDX-License-Identifier: Apache-2.0
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
      return new Parsed.Valid(GoDurationScanner.scan(text));
    } catch (GoDurationScanner.InvalidException invalid) {
      return new Parsed.Invalid(invalid.problem(), text, invalid.unit());
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
}

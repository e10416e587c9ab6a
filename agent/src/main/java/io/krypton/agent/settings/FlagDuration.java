package io.krypton.agent.settings;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/** Durations as Go programs write them: {@code 500ms}, {@code 1m30s}, {@code 0}. */
public final class FlagDuration {
  private static final Pattern PART =
      Pattern.compile("(\\d{1,15}(?:\\.\\d{0,15})?|\\.\\d{1,15})(ns|us|µs|μs|ms|s|m|h)");
  private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");
  private static final Map<String, Long> NANOS =
      Map.of(
          "ns", 1L,
          "us", 1_000L,
          "µs", 1_000L,
          "μs", 1_000L,
          "ms", 1_000_000L,
          "s", 1_000_000_000L,
          "m", 60_000_000_000L,
          "h", 3_600_000_000_000L);

  private FlagDuration() {}

  /** Empty when the text is not a duration, or one too long to count in nanoseconds. */
  public static Optional<Duration> parse(String text) {
    boolean negative = text.startsWith("-");
    var size = negative || text.startsWith("+") ? text.substring(1) : text;
    if (size.equals("0")) {
      return Optional.of(Duration.ZERO);
    }
    if (!WHOLE.matcher(size).matches()) {
      return Optional.empty();
    }
    var nanos =
        PART.matcher(size)
            .results()
            .map(part -> new BigDecimal(part.group(1)).multiply(nanosOf(part.group(2))))
            .reduce(BigDecimal.ZERO, BigDecimal::add)
            .toBigInteger();
    if (nanos.bitLength() > 63) {
      return Optional.empty();
    }
    var duration = Duration.ofNanos(nanos.longValueExact());
    return Optional.of(negative ? duration.negated() : duration);
  }

  /** The shortest form without parts that are zero: {@code 30s}, {@code 10m}, {@code 1m30s}. */
  public static String format(Duration duration) {
    if (duration.isZero()) {
      return "0s";
    }
    var text = new StringBuilder(duration.isNegative() ? "-" : "");
    var rest = duration.abs();
    append(text, rest.toHours(), "h");
    append(text, rest.toMinutesPart(), "m");
    append(text, rest.toSecondsPart(), "s");
    append(text, rest.toMillisPart(), "ms");
    append(text, rest.toNanosPart() % 1_000_000, "ns");
    return text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount > 0) {
      text.append(amount).append(unit);
    }
  }

  private static BigDecimal nanosOf(String unit) {
    return BigDecimal.valueOf(NANOS.getOrDefault(unit, 0L));
  }
}

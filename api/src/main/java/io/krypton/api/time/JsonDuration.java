package io.krypton.api.time;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import java.math.BigDecimal;
import java.time.Duration;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A duration, down to a millisecond, that JSON carries the way Go writes it: {@code 1m30s}. */
public record JsonDuration(Duration value) {
  /** What the schema accepts. The digits are limited so that no accepted text overflows. */
  public static final String PATTERN = "^([0-9]{1,5}(\\.[0-9]{1,3})?(ms|s|m|h))+$";

  private static final Pattern WHOLE = Pattern.compile(PATTERN);
  private static final Pattern PART = Pattern.compile("([0-9.]+)(ms|s|m|h)");

  public static JsonDuration ofMinutes(long minutes) {
    return new JsonDuration(Duration.ofMinutes(minutes));
  }

  /** Null if the text is no such duration: what cannot be read counts as not set. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static @Nullable JsonDuration parse(String text) {
    if (!WHOLE.matcher(text).matches()) {
      return null;
    }
    return new JsonDuration(
        PART.matcher(text)
            .results()
            .map(part -> new BigDecimal(part.group(1)).multiply(millisOf(part.group(2))))
            .map(millis -> Duration.ofMillis(millis.longValue()))
            .reduce(Duration.ZERO, Duration::plus));
  }

  private static BigDecimal millisOf(String unit) {
    return BigDecimal.valueOf(
        switch (unit) {
          case "h" -> 3_600_000;
          case "m" -> 60_000;
          case "s" -> 1_000;
          default -> 1;
        });
  }

  @JsonValue
  @Override
  public String toString() {
    var text = new StringBuilder();
    append(text, value.toHours(), "h");
    append(text, value.toMinutesPart(), "m");
    append(text, value.toSecondsPart(), "s");
    append(text, value.toMillisPart(), "ms");
    return text.isEmpty() ? "0s" : text.toString();
  }

  private static void append(StringBuilder text, long amount, String unit) {
    if (amount != 0) {
      text.append(amount).append(unit);
    }
  }
}

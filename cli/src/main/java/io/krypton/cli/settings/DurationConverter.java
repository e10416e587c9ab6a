package io.krypton.cli.settings;

import java.time.Duration;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 90s}, {@code 5m}, {@code 1m30s}, {@code 500ms} or whole seconds. */
public final class DurationConverter implements ITypeConverter<Duration> {
  private static final Pattern PARTS =
      Pattern.compile("(?:(\\d+)h)?(?:(\\d+)m)?(?:(\\d+)s)?(?:(\\d+)ms)?");

  @Override
  public Duration convert(String value) {
    if (value.matches("\\d{1,9}")) {
      return Duration.ofSeconds(Long.parseLong(value));
    }
    var parts = PARTS.matcher(value);
    if (value.isEmpty() || value.length() > 20 || !parts.matches()) {
      throw new TypeConversionException(
          "'%s' is not a duration, write for example 90s or 5m".formatted(value));
    }
    return Duration.ofHours(number(parts.group(1)))
        .plusMinutes(number(parts.group(2)))
        .plusSeconds(number(parts.group(3)))
        .plusMillis(number(parts.group(4)));
  }

  private static long number(String digits) {
    return digits == null ? 0 : Long.parseLong(digits);
  }
}

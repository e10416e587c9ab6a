// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.settings;

import io.krypton.base.text.GoDuration;
import java.time.Duration;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Reads {@code 90s}, {@code 5m}, {@code 1m30s}, {@code 500ms} or whole seconds. */
public final class DurationConverter implements ITypeConverter<Duration> {
  @Override
  public Duration convert(String value) {
    return GoDuration.parseOrSeconds(value)
        .filter(duration -> !duration.isNegative())
        .orElseThrow(
            () ->
                new TypeConversionException(
                    "'%s' is not a duration, write for example 90s or 5m".formatted(value)));
  }
}

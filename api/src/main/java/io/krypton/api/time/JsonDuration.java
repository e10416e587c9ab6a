// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.time;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonValue;
import io.krypton.base.text.GoDuration;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** A duration, down to a millisecond, that JSON carries the way Go writes it: {@code 1m30s}. */
public record JsonDuration(Duration value) {
  /** What the schema accepts. The digits are limited so that no accepted text overflows. */
  public static final String PATTERN = "^([0-9]{1,5}(\\.[0-9]{1,3})?(ms|s|m|h))+$";

  private static final Pattern WHOLE = Pattern.compile(PATTERN);

  public static JsonDuration ofMinutes(long minutes) {
    return new JsonDuration(Duration.ofMinutes(minutes));
  }

  /** Null if the text is no such duration: what cannot be read counts as not set. */
  @JsonCreator(mode = JsonCreator.Mode.DELEGATING)
  public static @Nullable JsonDuration parse(String text) {
    return WHOLE.matcher(text).matches()
        ? GoDuration.parse(text)
            .map(duration -> new JsonDuration(duration.truncatedTo(ChronoUnit.MILLIS)))
            .orElse(null)
        : null;
  }

  @JsonValue
  @Override
  public String toString() {
    return GoDuration.compact(value);
  }
}

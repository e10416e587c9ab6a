package io.krypton.operator.kmshealth.union;

import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;

/**
 * How long a condition must last before it shows in the sum.
 *
 * @param specials of these the first whose pattern is found in the type wins
 */
public record Inertia(Duration byDefault, List<Special> specials) {
  public Inertia {
    specials = List.copyOf(specials);
  }

  /** For some types another time. */
  public record Special(Pattern type, Duration length) {}

  public static Inertia of(Duration length) {
    return new Inertia(length, List.of());
  }

  Duration of(String type) {
    return specials.stream()
        .filter(special -> special.type().matcher(type).find())
        .map(Special::length)
        .findFirst()
        .orElse(byDefault);
  }
}

package io.krypton.operator.helm;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Blots secret texts out of what a program wrote, in the forms in which programs write them. */
final class Redaction {
  static final String BLOT = "***";
  // Anything shorter is found by chance everywhere and would leave nothing readable.
  private static final int SHORTEST = 4;

  private final List<String> forms;

  Redaction(Collection<String> secrets) {
    // Longest first: a secret may contain another.
    forms =
        secrets.stream()
            .flatMap(Redaction::formsOf)
            .filter(form -> form.length() >= SHORTEST)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
  }

  String clean(String text) {
    var clean = text;
    for (var form : forms) {
      clean = clean.replace(form, BLOT);
    }
    return clean;
  }

  private static Stream<String> formsOf(String secret) {
    var bytes = secret.getBytes(StandardCharsets.UTF_8);
    var whole =
        Stream.of(
            secret, quoted(secret), Base64.getEncoder().withoutPadding().encodeToString(bytes));
    return Stream.concat(whole, secret.lines().map(String::strip));
  }

  /** As Go and JSON quote it. */
  private static String quoted(String text) {
    return text.replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\t", "\\t");
  }
}

package io.krypton.kms.verdict;

import java.util.List;
import java.util.regex.Pattern;

/**
 * What helps against texts by which plugins pass on the errors of their remote KMS. Many plugins
 * have one code for all of them, so the text is all there is; it is a hint and never a verdict.
 */
final class RemoteKmsHints {
  private record Hint(Pattern text, String remedy) {}

  private static final List<Hint> HINTS =
      List.of(
          new Hint(
              Pattern.compile("(?i)\\bsealed\\b"),
              "the plugin runs, the vault behind it is sealed: unseal it"),
          new Hint(
              Pattern.compile(
                  "(?i)permission denied|invalid token|check .*permissions|\\bforbidden\\b"),
              "the plugin runs, its KMS refuses it: check key, token and policy there; this does"
                  + " not pass by itself"),
          new Hint(
              Pattern.compile(
                  "(?i)(?:could not|cannot|unable to|failed to) (?:read|find|get) .*\\bkey\\b"),
              "the plugin runs, its KMS does not give it the key: check that the key exists there;"
                  + " this does not pass by itself"));

  private RemoteKmsHints() {}

  static Finding improve(Finding finding) {
    return HINTS.stream()
        .filter(hint -> hint.text().matcher(finding.message()).find())
        .findFirst()
        .map(hint -> finding.withHint(hint.remedy()))
        .orElse(finding);
  }
}

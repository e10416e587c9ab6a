// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import java.util.List;
import java.util.regex.Pattern;

/** Texts of plugins by which a WAIT becomes FATAL, for plugins that use one code for everything. */
public record FatalPatterns(List<Pattern> patterns) {
  public static final FatalPatterns DEFAULT =
      of(
          List.of(
              "(?i)key\\b.*(destroyed|disabled|pending deletion|not found)",
              "DisabledException",
              "KMSInvalidStateException",
              "\\b403\\b"));

  /** Enough for every message; a bound for regular expressions that a user wrote. */
  private static final int MAX_LENGTH = 4096;

  public FatalPatterns {
    patterns = List.copyOf(patterns);
  }

  /** Throws {@link java.util.regex.PatternSyntaxException} for an expression that is none. */
  public static FatalPatterns of(List<String> expressions) {
    return new FatalPatterns(expressions.stream().map(Pattern::compile).toList());
  }

  Verdict escalate(Verdict verdict, String text) {
    if (verdict != Verdict.WAIT) {
      return verdict;
    }
    var start = text.substring(0, Math.min(text.length(), MAX_LENGTH));
    return patterns.stream().anyMatch(pattern -> pattern.matcher(start).find())
        ? Verdict.FATAL
        : verdict;
  }
}

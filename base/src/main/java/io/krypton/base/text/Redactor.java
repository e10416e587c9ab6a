// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Removes secrets from text that another program wrote, so that it may stand in a log, a condition
 * or an event.
 *
 * <p>{@link #byShape} finds what looks like a secret; {@link #of} finds secrets that are known. The
 * time is in proportion to the length of the text, whatever the text is.
 */
public final class Redactor {
  /** Stands for what was removed. */
  public static final String MASK = "***";

  private static final int MAX_SUMMARY = 256;
  private static final String ELLIPSIS = "...";

  /** More than can survive in a summary, and a bound for the work on it. */
  private static final int MAX_INPUT = 8192;

  /** Anything shorter is found by chance everywhere and would leave nothing readable. */
  private static final int SHORTEST_SECRET = 4;

  /** A gap between words; the second group is the mark of a list at the beginning of a line. */
  private static final Pattern GAP =
      Pattern.compile("([\\p{Cntrl}\\x{80}-\\x{9f}\\u2028\\u2029 ]++)([*-] ++)?+");

  private static final Pattern LINE_END = Pattern.compile("[\\r\\n\\u2028\\u2029]");

  private static final String NAMES = "(?:authorization|bearer|token|password|secret|api-?key)";

  /**
   * In this order: blocks before the words inside them. Each is linear in the length of the text:
   * what a rule has looked at it also consumes, so that no later start looks at it again.
   */
  private static final List<Rule> RULES =
      List.of(
          masking("(?s)-----BEGIN .*?(?:-----END [^-]*-----|\\z)", MASK),
          masking("(?<=[A-Za-z0-9+.-]://)[^/?#\\s]*@", MASK + "@"),
          rule(
              "([A-Za-z0-9+.-]://[^\\s?]*+)(\\?\\S*+)?",
              url -> url.group(2) == null ? url.group() : url.group(1) + "?" + MASK),
          // Repeated, as in "authorization: Bearer x": the last word is the secret one.
          masking("(?i)(?:" + NAMES + "[\"']?[=: ]++[\"']?(?:basic ++)?)++\\S*+", MASK),
          masking("\\bhv[sbr]\\.[A-Za-z0-9_-]++", MASK),
          masking("\\beyJ[A-Za-z0-9_-]++(?:\\.[A-Za-z0-9_-]*+){0,2}", MASK),
          masking("[A-Za-z0-9+_=-]{40,}+", MASK),
          rule(
              "[A-Za-z0-9+/]{16,}+(={0,2})",
              word -> word.group(1).isEmpty() ? word.group() : MASK));

  private final UnaryOperator<String> redaction;

  private Redactor(UnaryOperator<String> redaction) {
    this.redaction = redaction;
  }

  private record Rule(Pattern pattern, Function<MatchResult, String> shown) {}

  private static Rule rule(String expression, Function<MatchResult, String> shown) {
    return new Rule(Pattern.compile(expression), shown.andThen(Matcher::quoteReplacement));
  }

  private static Rule masking(String expression, String mask) {
    return rule(expression, _ -> mask);
  }

  /** Finds PEM blocks, credentials and queries of URLs, tokens, passwords and long random words. */
  public static Redactor byShape() {
    return new Redactor(
        text -> {
          var shown = text;
          for (var rule : RULES) {
            shown = rule.pattern().matcher(shown).replaceAll(rule.shown());
          }
          return shown;
        });
  }

  /** Finds these secrets: as they are, quoted, in base64, and each of their lines. */
  public static Redactor of(Collection<String> secrets) {
    // Longest first: a secret may contain another.
    var forms =
        secrets.stream()
            .flatMap(Redactor::formsOf)
            .filter(form -> form.length() >= SHORTEST_SECRET)
            .distinct()
            .sorted(Comparator.comparingInt(String::length).reversed())
            .toList();
    return new Redactor(
        text -> {
          var shown = text;
          for (var form : forms) {
            shown = shown.replace(form, MASK);
          }
          return shown;
        });
  }

  /** First this redactor, then the other. */
  public Redactor and(Redactor other) {
    return new Redactor(text -> other.redact(redact(text)));
  }

  /** The text without secrets, however long it is; lines stay lines. */
  public String redact(String text) {
    return redaction.apply(text);
  }

  /** Without secrets, on one line and at most 256 characters long; may be empty. */
  public String summarize(String text) {
    var shown = redact(bounded(text).strip());
    return truncated(GAP.matcher(shown).replaceAll(gap -> separator(shown, gap)).strip());
  }

  /** Lines stay apart: "permission denied; invalid token". A heading leads its first line. */
  private static String separator(String text, MatchResult gap) {
    if (gap.start() == 0 || gap.end() == text.length()) {
      return "";
    }
    if (!LINE_END.matcher(gap.group(1)).find()) {
      return gap.group(2) == null ? " " : " " + gap.group(2);
    }
    return text.charAt(gap.start() - 1) == ':' ? " " : "; ";
  }

  /** Ends at a space, so that no half of a secret is left at the end. */
  private static String bounded(String text) {
    if (text.length() <= MAX_INPUT) {
      return text;
    }
    var start = text.substring(0, MAX_INPUT);
    var space = start.lastIndexOf(' ');
    return space < 0 ? MASK : start.substring(0, space);
  }

  private static String truncated(String text) {
    if (text.codePointCount(0, text.length()) <= MAX_SUMMARY) {
      return text;
    }
    var kept = text.offsetByCodePoints(0, MAX_SUMMARY - ELLIPSIS.length());
    return text.substring(0, kept) + ELLIPSIS;
  }

  private static Stream<String> formsOf(String secret) {
    var base64 = Base64.getEncoder().withoutPadding().encodeToString(secret.getBytes(UTF_8));
    return Stream.concat(
        Stream.of(secret, quoted(secret), base64), secret.lines().map(String::strip));
  }

  /** As Go and JSON quote it. */
  private static String quoted(String text) {
    return text.replace("\\", "\\\\")
        .replace("\"", "\\\"")
        .replace("\n", "\\n")
        .replace("\t", "\\t");
  }
}

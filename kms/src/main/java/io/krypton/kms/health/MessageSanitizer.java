package io.krypton.kms.health;

import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Makes a text that a plugin wrote fit to be shown: without what looks like a secret, on one line,
 * and short. Plugins pass on the errors of their remote KMS, which may quote requests.
 */
public final class MessageSanitizer {
  private static final int MAX_CODE_POINTS = 256;
  private static final String ELLIPSIS = "...";
  private static final String HIDDEN = "***";

  /** More than can survive, and a bound for the work below. */
  private static final int MAX_INPUT = 8192;

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
          always("(?s)-----BEGIN .*?(?:-----END [^-]*-----|\\z)", HIDDEN),
          always("(?<=[A-Za-z0-9+.-]://)[^/?#\\s]*@", HIDDEN + "@"),
          rule(
              "([A-Za-z0-9+.-]://[^\\s?]*+)(\\?\\S*+)?",
              url -> url.group(2) == null ? url.group() : url.group(1) + "?" + HIDDEN),
          // Repeated, as in "authorization: Bearer x": the last word is the secret one.
          always("(?i)(?:" + NAMES + "[\"']?[=: ]++[\"']?(?:basic ++)?)++\\S*+", HIDDEN),
          always("\\bhv[sbr]\\.[A-Za-z0-9_-]++", HIDDEN),
          always("\\beyJ[A-Za-z0-9_-]++(?:\\.[A-Za-z0-9_-]*+){0,2}", HIDDEN),
          always("[A-Za-z0-9+_=-]{40,}+", HIDDEN),
          rule(
              "[A-Za-z0-9+/]{16,}+(={0,2})",
              word -> word.group(1).isEmpty() ? word.group() : HIDDEN));

  private MessageSanitizer() {}

  private record Rule(Pattern pattern, Function<MatchResult, String> shown) {}

  private static Rule rule(String expression, Function<MatchResult, String> shown) {
    return new Rule(Pattern.compile(expression), shown.andThen(Matcher::quoteReplacement));
  }

  private static Rule always(String expression, String shown) {
    return rule(expression, _ -> shown);
  }

  /** The text as it may be shown; may be empty. */
  public static String sanitize(String text) {
    var shown = redact(bounded(text).strip());
    return cut(GAP.matcher(shown).replaceAll(gap -> separator(shown, gap)).strip());
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

  /** The text without secrets, however long it is. */
  static String redact(String text) {
    var shown = text;
    for (var rule : RULES) {
      shown = rule.pattern().matcher(shown).replaceAll(rule.shown());
    }
    return shown;
  }

  /** Ends at a space, so that no half of a secret is left at the end. */
  private static String bounded(String text) {
    if (text.length() <= MAX_INPUT) {
      return text;
    }
    var start = text.substring(0, MAX_INPUT);
    var space = start.lastIndexOf(' ');
    return space < 0 ? HIDDEN : start.substring(0, space);
  }

  private static String cut(String text) {
    if (text.codePointCount(0, text.length()) <= MAX_CODE_POINTS) {
      return text;
    }
    var kept = text.offsetByCodePoints(0, MAX_CODE_POINTS - ELLIPSIS.length());
    return text.substring(0, kept) + ELLIPSIS;
  }
}

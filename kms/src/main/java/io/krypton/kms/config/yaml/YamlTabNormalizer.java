// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config.yaml;

/**
 * Makes spaces of the tabs that kube-apiserver's parser skips and SnakeYAML refuses: those between
 * two tokens of a line, and all between tokens inside brackets. Tabs that indent stay refused.
 */
final class YamlTabNormalizer {
  private static final char NO_QUOTE = 0;
  private static final char END = '\n';

  private final String text;
  private final StringBuilder out;
  private char quote = NO_QUOTE;
  private boolean comment;
  private boolean startOfLine = true;
  private char lastVisible = END;
  private int brackets;

  private YamlTabNormalizer(String text) {
    this.text = text;
    out = new StringBuilder(text.length());
  }

  static String normalize(String text) {
    var tabs = new YamlTabNormalizer(text);
    for (int i = 0; i < text.length(); i++) {
      tabs.next(i);
    }
    return tabs.out.toString();
  }

  private void next(int at) {
    char c = text.charAt(at);
    if (quote != NO_QUOTE) {
      boolean escaped = quote == '"' && endsWithOddBackslashes();
      quote = c == quote && !escaped ? NO_QUOTE : quote;
      lastVisible = c;
      out.append(c);
      return;
    }
    boolean skipped = c == '\t' && !comment && separatesTokens(at);
    track(c);
    out.append(skipped ? ' ' : c);
  }

  private boolean separatesTokens(int at) {
    boolean behindToken = ":,[]{}'\"".indexOf(lastVisible) >= 0;
    if (startOfLine) {
      return brackets > 0 && behindToken;
    }
    char next = nextVisible(at);
    return behindToken || "\r\n#".indexOf(next) >= 0 || (brackets > 0 && ",]}".indexOf(next) >= 0);
  }

  private char nextVisible(int at) {
    int i = at;
    while (i < text.length() && isBlank(text.charAt(i))) {
      i++;
    }
    return i < text.length() ? text.charAt(i) : END;
  }

  private static boolean isBlank(char c) {
    return c == ' ' || c == '\t';
  }

  private void track(char c) {
    if (c == '\n' || c == '\r') {
      comment = false;
      startOfLine = true;
      return;
    }
    boolean mayBegin = out.isEmpty() || " \t\r\n[{,:".indexOf(out.charAt(out.length() - 1)) >= 0;
    if (comment || (c == '#' && mayBegin)) {
      comment = true;
    } else if ((c == '"' || c == '\'') && mayBegin) {
      quote = c;
    } else if ((c == '[' || c == '{') && (mayBegin || brackets > 0)) {
      brackets++;
    } else if ((c == ']' || c == '}') && brackets > 0) {
      brackets--;
    }
    if (!comment && !isBlank(c)) {
      lastVisible = c;
    }
    // Behind the dash of a list item a key may begin, and before a key no tab is skipped.
    startOfLine &= " \t-?".indexOf(c) >= 0;
  }

  private boolean endsWithOddBackslashes() {
    int count = 0;
    while (count < out.length() && out.charAt(out.length() - 1 - count) == '\\') {
      count++;
    }
    return count % 2 == 1;
  }
}

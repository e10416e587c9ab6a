// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.reference;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * As much of PromQL as it takes to know which metrics an expression needs: a word that is neither a
 * keyword, a function, a label nor a duration.
 */
final class PromQl {
  private static final Pattern STRING = Pattern.compile("\"(?:[^\"\\\\]|\\\\.)*\"");
  private static final Pattern SELECTOR = Pattern.compile("\\{[^}]*}");
  private static final Pattern RANGE = Pattern.compile("\\[[^\\]]*]");
  private static final Pattern LABELS =
      Pattern.compile("\\b(?:by|without|on|ignoring|group_left|group_right)\\s*\\([^)]*\\)");
  private static final Pattern CALL = Pattern.compile("[a-z_]+(?=\\s*\\()");
  private static final Pattern WORD = Pattern.compile("[a-zA-Z_:][a-zA-Z0-9_:]*");
  private static final Set<String> KEYWORDS =
      Set.of("and", "or", "unless", "bool", "offset", "by", "without");

  private PromQl() {}

  static Set<String> metrics(String expression) {
    var rest = expression;
    for (var part : new Pattern[] {STRING, SELECTOR, RANGE, LABELS, CALL}) {
      rest = part.matcher(rest).replaceAll(" ");
    }
    rest = rest.replaceAll("\\b[0-9][0-9a-z.]*", " ");
    var metrics = new TreeSet<String>();
    WORD.matcher(rest).results().map(found -> found.group()).forEach(metrics::add);
    metrics.removeAll(KEYWORDS);
    return metrics;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import java.util.ArrayList;
import java.util.List;

/** The difference of two texts in the form of {@code diff -u}; pure. */
final class UnifiedDiff {
  private static final int CONTEXT = 3;
  // Above that, both texts in full tell as much as a minute of computing would.
  private static final long MAX_CELLS = 16_000_000;

  private UnifiedDiff() {}

  private record Line(char sign, String text) {}

  /** Hunks without the two lines of a header; empty if the texts are equal. */
  static List<String> of(List<String> before, List<String> after) {
    return before.equals(after) ? List.of() : hunks(script(before, after));
  }

  private static List<Line> script(List<String> before, List<String> after) {
    var same = 0;
    var shorter = Math.min(before.size(), after.size());
    while (same < shorter && before.get(same).equals(after.get(same))) {
      same++;
    }
    var tail = 0;
    while (tail < shorter - same
        && before.get(before.size() - 1 - tail).equals(after.get(after.size() - 1 - tail))) {
      tail++;
    }
    var script = new ArrayList<Line>();
    before.subList(0, same).forEach(text -> script.add(new Line(' ', text)));
    middle(
        before.subList(same, before.size() - tail),
        after.subList(same, after.size() - tail),
        script);
    before
        .subList(before.size() - tail, before.size())
        .forEach(text -> script.add(new Line(' ', text)));
    return script;
  }

  /** By the longest common subsequence. */
  private static void middle(List<String> before, List<String> after, List<Line> script) {
    var common = (long) before.size() * after.size() > MAX_CELLS ? null : lengths(before, after);
    int i = 0;
    int j = 0;
    while (common != null && i < before.size() && j < after.size()) {
      if (before.get(i).equals(after.get(j))) {
        script.add(new Line(' ', before.get(i++)));
        j++;
      } else if (common[i + 1][j] >= common[i][j + 1]) {
        script.add(new Line('-', before.get(i++)));
      } else {
        script.add(new Line('+', after.get(j++)));
      }
    }
    before.subList(i, before.size()).forEach(text -> script.add(new Line('-', text)));
    after.subList(j, after.size()).forEach(text -> script.add(new Line('+', text)));
  }

  /** For each pair of places: how many lines the rests after them have in common. */
  private static int[][] lengths(List<String> before, List<String> after) {
    var lengths = new int[before.size() + 1][after.size() + 1];
    for (var i = before.size() - 1; i >= 0; i--) {
      for (var j = after.size() - 1; j >= 0; j--) {
        lengths[i][j] =
            before.get(i).equals(after.get(j))
                ? lengths[i + 1][j + 1] + 1
                : Math.max(lengths[i + 1][j], lengths[i][j + 1]);
      }
    }
    return lengths;
  }

  private static List<String> hunks(List<Line> script) {
    var text = new ArrayList<String>();
    var at = 0;
    while (at < script.size()) {
      var change = nextChange(script, at);
      if (change == script.size()) {
        break;
      }
      var from = Math.max(at, change - CONTEXT);
      var to = endOfHunk(script, change);
      text.add(title(script, from, to));
      script.subList(from, to).forEach(line -> text.add(line.sign() + line.text()));
      at = to;
    }
    return text;
  }

  private static int nextChange(List<Line> script, int from) {
    var at = from;
    while (at < script.size() && script.get(at).sign() == ' ') {
      at++;
    }
    return at;
  }

  /** Changes that are less than two contexts apart share a hunk. */
  private static int endOfHunk(List<Line> script, int change) {
    var last = change;
    while (true) {
      var next = nextChange(script, last + 1);
      if (next == script.size() || next - last > 2 * CONTEXT) {
        return Math.min(script.size(), last + 1 + CONTEXT);
      }
      last = next;
    }
  }

  private static String title(List<Line> script, int from, int to) {
    var oldStart = count(script, 0, from, '+');
    var newStart = count(script, 0, from, '-');
    var oldLines = count(script, from, to, '+');
    var newLines = count(script, from, to, '-');
    return "@@ -%d,%d +%d,%d @@"
        .formatted(
            oldLines == 0 ? oldStart : oldStart + 1,
            oldLines,
            newLines == 0 ? newStart : newStart + 1,
            newLines);
  }

  /** Lines of one side: all but those that only the other side has. */
  private static int count(List<Line> script, int from, int to, char notThese) {
    return (int) script.subList(from, to).stream().filter(line -> line.sign() != notThese).count();
  }
}

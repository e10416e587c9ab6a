// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * A block of code on a page of the documentation.
 *
 * @param page its path from the root of the tree
 * @param line where the block begins
 * @param language the first word after the fence; empty for an indented block
 * @param words what else stands there; readers never see it
 */
record DocBlock(String page, int line, String language, Set<String> words, String text) {
  private static final String FENCE = "```";
  private static final Pattern INDENTED = Pattern.compile(" {4,}\\S.*");
  private static final Pattern COMMENT = Pattern.compile("(^|\\s+)# .*$");

  /** All blocks of a page, in order. */
  static List<DocBlock> of(String page, String markdown) {
    var blocks = new ArrayList<DocBlock>();
    var lines = markdown.lines().toList();
    var before = "";
    for (int i = 0; i < lines.size(); i++) {
      var line = lines.get(i);
      if (line.strip().startsWith(FENCE)) {
        var end = closing(lines, i);
        blocks.add(fenced(page, i + 1, line.strip(), lines.subList(i + 1, end)));
        i = end;
      } else if (before.isBlank() && INDENTED.matcher(line).matches()) {
        blocks.add(new DocBlock(page, i + 1, "", Set.of(), line.strip()));
      }
      before = line;
    }
    return blocks;
  }

  private static int closing(List<String> lines, int opening) {
    for (int i = opening + 1; i < lines.size(); i++) {
      if (lines.get(i).strip().equals(FENCE)) {
        return i;
      }
    }
    throw new IllegalArgumentException(
        "the fence of line %d is never closed".formatted(opening + 1));
  }

  private static DocBlock fenced(String page, int line, String opening, List<String> content) {
    var words = Arrays.asList(opening.substring(FENCE.length()).strip().split("\\s+"));
    return new DocBlock(
        page,
        line,
        words.getFirst(),
        Set.copyOf(words.subList(1, words.size())),
        String.join("\n", content));
  }

  boolean isShell() {
    return language.equals("sh");
  }

  boolean is(String word) {
    return words.contains(word);
  }

  /** Its lines without remarks; one that goes on behind a backslash is one. */
  List<String> commands() {
    return text.replaceAll("\\s*\\\\\n\\s*", " ")
        .lines()
        .map(line -> COMMENT.matcher(line).replaceFirst("").strip())
        .filter(line -> !line.isEmpty())
        .collect(Collectors.toList());
  }

  String where() {
    return page + ":" + line;
  }
}

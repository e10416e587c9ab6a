// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The pages name what is there, and their prose fits on a screen. */
class DocumentationTest {
  private static final int WIDTH = 120;

  /** Types of Java, Kubernetes and client-go that our pages mention, and values of a chart. */
  private static final Set<String> FOREIGN =
      Set.of(
          "ClusterIP",
          "ConfigMap",
          "CreateReplace",
          "DelayQueue",
          "IfNotPresent",
          "LeaderElector",
          "NoSchedule",
          "PartialObjectMetadata",
          "Reflector",
          "RuntimeDefault",
          "Thread");

  private static final Pattern BLOCK = Pattern.compile("(?ms)^ *```.*?^ *```$");
  private static final Pattern CODE = Pattern.compile("`([^`\n]+)`");
  private static final Pattern TYPE =
      Pattern.compile(
          "(?<![\\w./*-])(?:[A-Z][a-z0-9]+(?:[A-Z][A-Za-z0-9]*)+|^[A-Z][a-z]+)(?![\\w/-])");
  private static final Pattern DECLARED =
      Pattern.compile("\\b(?:class|interface|record|enum)\\s+(\\w+)|\"(\\w+)\"");
  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#\\s]+)(?:#[^)]*)?\\)");
  private static final Pattern PRODUCED =
      Pattern.compile("docs/reference/.*|docs/demo\\.md|docs/benchmarks/results\\.md|charts/.*");

  @Test
  void every_type_that_a_page_names_is_there() {
    var known = declared(SourceTree.read(it -> it.endsWith(".java")));
    known.addAll(FOREIGN);
    known.addAll(namesForUsers());

    var unknown = new ArrayList<String>();
    pages()
        .forEach(
            (page, text) -> unknownTypes(text, known).forEach(it -> unknown.add(page + ": " + it)));

    assertThat(unknown).isEmpty();
  }

  @Test
  void every_file_that_a_page_links_to_is_there() {
    var missing = new ArrayList<String>();
    pages()
        .forEach(
            (page, text) ->
                links(text).stream()
                    .filter(it -> !Files.exists(Path.of("..").resolve(page).resolveSibling(it)))
                    .forEach(it -> missing.add(page + ": " + it)));

    assertThat(missing).isEmpty();
  }

  @Test
  void prose_wraps() {
    var wide = new ArrayList<String>();
    pages().forEach((page, text) -> wideLines(text).forEach(it -> wide.add(page + ": " + it)));
    wide.removeIf(it -> PRODUCED.matcher(it.substring(0, it.indexOf(": "))).matches());

    assertThat(wide).isEmpty();
  }

  @Test
  void every_decision_has_a_status_and_a_date_and_is_listed() {
    var decisions = SourceTree.read(it -> it.matches("docs/adr/\\d{4}-.*\\.md"));
    var list = pages().getOrDefault("docs/adr/README.md", "");

    assertThat(decisions).hasSizeGreaterThan(30);
    decisions.forEach(
        (page, text) ->
            assertThat(text)
                .as(page)
                .matches(
                    "(?s)# \\d{4}: [^\n]+\n\nStatus: [a-z][^\n]+\\\\\nDate: \\d{4}-\\d\\d-\\d\\d\n\n.*"));
    decisions
        .keySet()
        .forEach(page -> assertThat(list).contains("(" + SourceTree.simpleName(page)));
  }

  @Test
  void a_name_is_known_by_its_declaration_or_as_a_word_for_users() {
    var known = declared(Map.of("A.java", "record Known() {} String s = \"ForUsers\";"));

    assertThat(unknownTypes("`Known`, `ForUsers`, `Known.of()`, `a.b.Class`, plain Gone", known))
        .isEmpty();
    assertThat(unknownTypes("`Gone`, `GoneToo.now()`\n```\n`InABlock`\n```", known))
        .containsExactly("Gone", "GoneToo");
  }

  @Test
  void wide_lines_are_found_outside_of_tables_and_blocks() {
    var wide = "x".repeat(121);

    assertThat(wideLines(wide + "\n| " + wide + " |\n```\n" + wide + "\n```\n")).hasSize(1);
    assertThat(links("[a](b.md#c) [d](https://e) [f](#g)")).containsExactly("b.md");
  }

  /** Reasons and other words that users meet, as {@code UserFacingNamesTest} of cli keeps them. */
  private static List<String> namesForUsers() {
    var list = SourceTree.read(it -> it.endsWith("/user-facing-names.txt")).values();
    assertThat(list).hasSize(1);
    return CODE.matcher(list.iterator().next()).results().map(it -> it.group(1)).toList();
  }

  private static Map<String, String> pages() {
    return SourceTree.read(it -> it.endsWith(".md"));
  }

  private static Set<String> declared(Map<String, String> sources) {
    var names = new TreeSet<String>();
    sources.forEach(
        (path, text) -> {
          names.add(SourceTree.simpleName(path));
          DECLARED
              .matcher(text)
              .results()
              .flatMap(it -> Stream.of(1, 2).map(it::group).filter(name -> name != null))
              .forEach(names::add);
        });
    return names;
  }

  private static List<String> unknownTypes(String text, Set<String> known) {
    return CODE.matcher(BLOCK.matcher(text).replaceAll(""))
        .results()
        .map(it -> it.group(1))
        .flatMap(code -> TYPE.matcher(code).results().map(MatchResult::group))
        .filter(it -> !known.contains(it))
        .toList();
  }

  private static List<String> links(String text) {
    return LINK.matcher(CODE.matcher(BLOCK.matcher(text).replaceAll("")).replaceAll(""))
        .results()
        .map(it -> it.group(1))
        .filter(it -> !it.contains(":"))
        .toList();
  }

  private static List<String> wideLines(String text) {
    return BLOCK
        .matcher(text)
        .replaceAll("")
        .lines()
        .filter(it -> it.length() > WIDTH && !it.startsWith("|") && !it.startsWith("<!--"))
        .filter(it -> !CODE.matcher(it.strip()).matches())
        .toList();
  }
}

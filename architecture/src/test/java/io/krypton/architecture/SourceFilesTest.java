// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static java.util.stream.Collectors.groupingBy;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/**
 * What holds for the files of all modules together: one name is one type, a file is neither too
 * long to read in one sitting nor too short to be opened for.
 */
class SourceFilesTest {
  private static final int MOST_LINES = 450;
  private static final int SHORT = 30;

  private static final Pattern WORD = Pattern.compile("\\w+");

  @Test
  void no_simple_name_stands_twice_in_main_code() {
    assertThat(namesUsedTwice(SourceTree.mainCode())).isEmpty();
  }

  @Test
  void every_file_is_worth_opening_and_short_enough_to_read() {
    var files = SourceTree.mainCode();
    assertThat(files).as("main code").hasSizeGreaterThan(500);

    var misfits = new ArrayList<>(tooLong(files));
    misfits.addAll(tooShortForTheirOwnFile(files));

    assertThat(misfits).isEmpty();
  }

  @Test
  void a_name_in_two_modules_is_found() {
    var files = Map.of("kms/a/Reason.java", "", "api/b/Reason.java", "", "api/b/Other.java", "");

    assertThat(namesUsedTwice(files)).containsOnlyKeys("Reason");
  }

  @Test
  void a_long_file_is_found() {
    var files = Map.of("a/Long.java", "\n".repeat(451), "a/Fine.java", "\n".repeat(450));

    assertThat(tooLong(files)).containsExactly("a/Long.java");
  }

  @Test
  void a_short_file_with_one_user_is_found() {
    var long1 = "class A { Lonely lonely; Shared shared; }" + "\n".repeat(40);
    var long2 = "class B { Shared shared; LonelyToo other; }" + "\n".repeat(40);
    var files =
        Map.of("a/A.java", long1, "a/B.java", long2, "a/Lonely.java", "", "a/Shared.java", "");

    assertThat(tooShortForTheirOwnFile(files)).containsExactly("a/Lonely.java");
  }

  private static Map<String, List<String>> namesUsedTwice(Map<String, String> files) {
    var byName =
        files.keySet().stream().collect(groupingBy(SourceTree::simpleName, Collectors.toList()));
    byName.values().removeIf(it -> it.size() < 2);
    return new TreeMap<>(byName);
  }

  private static List<String> tooLong(Map<String, String> files) {
    return files.entrySet().stream()
        .filter(it -> lines(it.getValue()) > MOST_LINES)
        .map(Map.Entry::getKey)
        .toList();
  }

  private static List<String> tooShortForTheirOwnFile(Map<String, String> files) {
    var users = new HashMap<String, Integer>();
    files.forEach(
        (path, text) ->
            WORD.matcher(text)
                .results()
                .map(MatchResult::group)
                .distinct()
                .filter(it -> !it.equals(SourceTree.simpleName(path)))
                .forEach(it -> users.merge(it, 1, Integer::sum)));
    return files.entrySet().stream()
        .filter(it -> lines(it.getValue()) <= SHORT)
        .map(Map.Entry::getKey)
        .filter(it -> !isNamedFromOutside(SourceTree.simpleName(it)))
        .filter(it -> users.getOrDefault(SourceTree.simpleName(it), 0) < 2)
        .toList();
  }

  /** The JVM, picocli and JUnit find these by name. */
  private static boolean isNamedFromOutside(String type) {
    return type.endsWith("Main") || type.endsWith("Command") || type.endsWith("Extension");
  }

  private static long lines(String text) {
    return text.lines().count();
  }
}

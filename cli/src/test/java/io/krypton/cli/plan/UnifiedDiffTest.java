// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class UnifiedDiffTest {
  private static List<String> diff(String before, String after) {
    return UnifiedDiff.of(before.lines().toList(), after.lines().toList());
  }

  @Test
  void equal_texts_have_no_difference() {
    assertThat(diff("a\nb", "a\nb")).isEmpty();
  }

  @Test
  void a_change_shows_three_lines_around_it() {
    assertThat(diff("1\n2\n3\n4\nold\n6\n7\n8\n9", "1\n2\n3\n4\nnew\n6\n7\n8\n9"))
        .containsExactly("@@ -2,7 +2,7 @@", " 2", " 3", " 4", "-old", "+new", " 6", " 7", " 8");
  }

  @Test
  void a_new_and_a_removed_text_are_one_hunk() {
    assertThat(diff("", "a\nb")).containsExactly("@@ -0,0 +1,2 @@", "+a", "+b");
    assertThat(diff("a\nb", "")).containsExactly("@@ -1,2 +0,0 @@", "-a", "-b");
  }

  @Test
  void changes_far_apart_have_hunks_of_their_own() {
    var before = IntStream.range(0, 40).mapToObj(Integer::toString).toList();
    var after = new ArrayList<>(before);
    after.set(2, "two");
    after.set(30, "thirty");

    assertThat(UnifiedDiff.of(before, after))
        .filteredOn(line -> line.startsWith("@@"))
        .containsExactly("@@ -1,6 +1,6 @@", "@@ -28,7 +28,7 @@");
  }

  /** Applied to the text before, a difference gives the text after: for any two texts. */
  @Test
  void a_difference_applied_gives_the_other_text() {
    var seed = System.nanoTime();
    var random = new Random(seed);
    for (var run = 0; run < 500; run++) {
      var before = text(random);
      var after = text(random);
      assertThat(applied(before, UnifiedDiff.of(before, after)))
          .as("seed %d", seed)
          .isEqualTo(after);
    }
  }

  private static List<String> text(Random random) {
    return random.ints(random.nextInt(30), 0, 4).mapToObj(line -> "line " + line).toList();
  }

  private static List<String> applied(List<String> before, List<String> diff) {
    var result = new ArrayList<String>();
    var at = 0;
    for (var line : diff) {
      if (line.startsWith("@@")) {
        var numbers = line.substring(4, line.indexOf(' ', 4)).split(",");
        var start = Integer.parseInt(numbers[0]) - (numbers[1].equals("0") ? 0 : 1);
        result.addAll(before.subList(at, start));
        at = start;
        continue;
      }
      if (line.charAt(0) != '+') {
        assertThat(before.get(at)).isEqualTo(line.substring(1));
        at++;
      }
      if (line.charAt(0) != '-') {
        result.add(line.substring(1));
      }
    }
    result.addAll(before.subList(at, before.size()));
    return result;
  }

  @Test
  void very_long_texts_are_told_in_full_instead_of_compared_for_ever() {
    var before = IntStream.range(0, 6000).mapToObj(line -> "old " + line).toList();
    var after = IntStream.range(0, 6000).mapToObj(line -> "new " + line).toList();

    assertThat(UnifiedDiff.of(before, after)).hasSize(12001);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.values.Yaml.RepeatedKey;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class YamlTest {

  @Test
  void quotes_and_tags_keep_words_texts() {
    assertThat(documents("a: 'no'\nb: \"1\"\nc: !!str 7\nd: |\n  off\n"))
        .containsExactly(Map.of("a", "no", "b", "1", "c", "7", "d", "off\n"));
  }

  @Test
  void keys_that_are_no_texts_become_texts() {
    assertThat(documents("1: a\nyes: b\n1.5: c\n"))
        .containsExactly(Map.of("1", "a", "true", "b", "1.5", "c"));
  }

  @Test
  void merge_keys_and_aliases_are_resolved() {
    assertThat(documents("base: &b {p: 1, q: 2}\nuse:\n  <<: *b\n  q: 3\n"))
        .containsExactly(Map.of("base", Map.of("p", 1L, "q", 2L), "use", Map.of("p", 1L, "q", 3L)));
  }

  @Test
  void empty_documents_are_left_out() {
    assertThat(documents("---\n# only a comment\n---\na: 1\n---\n"))
        .containsExactly(Map.of("a", 1L));
  }

  @Test
  void a_list_keeps_its_nulls() {
    assertThat(documents("[1, ~, a]")).containsExactly(Arrays.asList(1L, null, "a"));
  }

  @Test
  void a_repeated_key_is_refused_or_the_last_one_wins() {
    assertThat(Yaml.read("a: 1\na: 2\n", RepeatedKey.REFUSED))
        .isEqualTo(new Yaml.Malformed("line 2, column 1: key 'a' appears twice"));
    assertThat(Yaml.read("a: 1\na: 2\n", RepeatedKey.LAST_WINS))
        .isEqualTo(new Yaml.Documents(List.of(Map.of("a", 2L))));
  }

  @Test
  void a_defect_is_told_by_place_and_never_by_content() {
    assertThat(malformed("password: hunter2: x\n"))
        .startsWith("line 1, column ")
        .doesNotContain("hunter2");
    assertThat(malformed("a: [hunter2\n")).contains("line ").doesNotContain("hunter2");
    assertThat(malformed("a: \u0001hunter2")).doesNotContain("hunter2");
    assertThat(malformed("a: .inf")).contains("line 1, column 4");
  }

  @Test
  void aliases_that_would_explode_are_refused() {
    var bomb = new StringBuilder("l0: &l0 [a, b]\n");
    for (int i = 1; i <= 24; i++) {
      bomb.append("l%d: &l%d [*l%d, *l%d]\n".formatted(i, i, i - 1, i - 1));
    }
    assertThat(malformed(bomb.toString())).contains("too large or too deeply nested");
  }

  @Test
  void a_list_that_contains_itself_is_refused() {
    assertThat(malformed("a: &a [*a]\n")).contains("too large or too deeply nested");
  }

  private static List<Object> documents(String text) {
    return ((Yaml.Documents) Yaml.read(text, RepeatedKey.REFUSED)).all();
  }

  private static String malformed(String text) {
    return ((Yaml.Malformed) Yaml.read(text, RepeatedKey.REFUSED)).message();
  }
}

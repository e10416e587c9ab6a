// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.values.ChartValues.DefaultValue;
import io.krypton.operator.release.values.ChartValues.ParseResult;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChartValuesTest {

  @ParameterizedTest(name = "{0} overridden by {1} is {2}")
  @CsvSource(
      delimiter = ';',
      value = {
        "{a: 1}; {b: 2}; {a: 1, b: 2}",
        "{a: {x: 1, y: 2}}; {a: {y: 3}}; {a: {x: 1, y: 3}}",
        "{a: [1, 2, 3]}; {a: [4]}; {a: [4]}",
        "{a: {x: 1}}; {a: ~}; {a: ~}",
        "{a: ~}; {a: {x: 1}}; {a: {x: 1}}",
        "{a: {x: 1}}; {a: text}; {a: text}",
        "{a: text}; {a: {x: 1}}; {a: {x: 1}}",
        "{a: 1}; {}; {a: 1}",
        "{a: {x: {p: 1, q: 2}}}; {a: {x: {q: ~}}}; {a: {x: {p: 1, q: ~}}}",
      })
  void later_layers_win_key_by_key(String earlier, String later, String merged) {
    assertThat(values(earlier).mergedWith(values(later))).isEqualTo(values(merged));
  }

  @Test
  void layers_are_merged_in_order() {
    assertThat(
            ChartValues.merge(List.of(values("{a: 1, b: 1}"), values("{a: 2}"), values("{a: 3}"))))
        .isEqualTo(values("{a: 3, b: 1}"));
  }

  @Test
  void a_null_reaches_helm_so_that_it_removes_the_default_of_the_chart() {
    assertThat(values("{a: {b: ~}}").json()).isEqualTo("{\"a\":{\"b\":null}}");
  }

  @Test
  void no_text_is_empty_values() {
    assertThat(values("")).isEqualTo(ChartValues.empty());
    assertThat(values("# nothing yet\n")).isEqualTo(ChartValues.empty());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = ';',
      value = {
        "[1, 2]; Secret acme/db, key values.yaml: not a map;",
        "just a text; Secret acme/db, key values.yaml: not a map;",
        "a: b: c; Secret acme/db, key values.yaml: line 1, column 5: mapping values are not allowed",
        "{a: 1, a: 2}; Secret acme/db, key values.yaml: line 1, column 8: key 'a' appears twice",
      })
  void what_is_wrong_names_origin_and_place(String yaml, String message) {
    assertThat(ChartValues.parse("Secret acme/db, key values.yaml", yaml))
        .isInstanceOfSatisfying(
            ParseResult.Invalid.class, it -> assertThat(it.message()).startsWith(message));
  }

  @Test
  void two_documents_are_refused() {
    assertThat(ChartValues.parse("file", "a: 1\n---\nb: 2\n"))
        .isEqualTo(new ParseResult.Invalid("file: it holds 2 documents; keep one"));
  }

  @Test
  void they_never_show_their_content() {
    var chartValues = values("{password: hunter2}");
    assertThat(chartValues.toString()).doesNotContain("hunter2").doesNotContain("password");
    assertThat(new ParseResult.Parsed(chartValues).toString()).doesNotContain("hunter2");
  }

  @Test
  void texts_from_secrets_are_remembered_through_merges() {
    var merged =
        values("{image: nginx}")
            .mergedWith(values("{db: {password: hunter2, pin: 4711, tls: true}}").asSecret())
            .mergedWith(values("{db: {password: replaced}}"));
    assertThat(merged.secrets()).containsExactlyInAnyOrder("hunter2", "4711");
  }

  @Test
  void a_base_value_is_given_only_to_charts_that_know_it() {
    var base = DefaultValue.installCrds(true);
    var layers = values("{a: 1}");
    assertThat(base.applyTo(layers, Set.of("installCRDs", "a")))
        .isEqualTo(values("{a: 1, installCRDs: true}"));
    assertThat(base.applyTo(layers, Set.of("a"))).isEqualTo(layers);
    assertThat(
            DefaultValue.oneReplica().applyTo(values("{replicaCount: 3}"), Set.of("replicaCount")))
        .isEqualTo(values("{replicaCount: 3}"));
  }

  private static ChartValues values(String yaml) {
    return ((ParseResult.Parsed) ChartValues.parse("test", yaml)).values();
  }
}

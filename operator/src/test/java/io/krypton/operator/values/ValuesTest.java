package io.krypton.operator.values;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ValuesTest {

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
    assertThat(values(earlier).overriddenBy(values(later))).isEqualTo(values(merged));
  }

  @Test
  void layers_are_merged_in_order() {
    assertThat(Values.merge(List.of(values("{a: 1, b: 1}"), values("{a: 2}"), values("{a: 3}"))))
        .isEqualTo(values("{a: 3, b: 1}"));
  }

  @Test
  void a_null_reaches_helm_so_that_it_removes_the_default_of_the_chart() {
    assertThat(values("{a: {b: ~}}").json()).isEqualTo("{\"a\":{\"b\":null}}");
  }

  @Test
  void no_text_is_empty_values() {
    assertThat(values("")).isEqualTo(Values.empty());
    assertThat(values("# nothing yet\n")).isEqualTo(Values.empty());
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
    assertThat(Values.parse("Secret acme/db, key values.yaml", yaml))
        .isInstanceOfSatisfying(
            ParsedValues.Invalid.class, it -> assertThat(it.message()).startsWith(message));
  }

  @Test
  void two_documents_are_refused() {
    assertThat(Values.parse("file", "a: 1\n---\nb: 2\n"))
        .isEqualTo(new ParsedValues.Invalid("file: it holds 2 documents; keep one"));
  }

  @Test
  void they_never_show_their_content() {
    var values = values("{password: hunter2}");
    assertThat(values.toString()).doesNotContain("hunter2").doesNotContain("password");
    assertThat(new ParsedValues.Parsed(values).toString()).doesNotContain("hunter2");
  }

  @Test
  void texts_from_secrets_are_remembered_through_merges() {
    var merged =
        values("{image: nginx}")
            .overriddenBy(values("{db: {password: hunter2, pin: 4711, tls: true}}").fromSecret())
            .overriddenBy(values("{db: {password: replaced}}"));
    assertThat(merged.secrets()).containsExactlyInAnyOrder("hunter2", "4711");
  }

  @Test
  void a_base_value_is_given_only_to_charts_that_know_it() {
    var base = BaseValue.installCrds(true);
    var layers = values("{a: 1}");
    assertThat(base.beneath(layers, Set.of("installCRDs", "a")))
        .isEqualTo(values("{a: 1, installCRDs: true}"));
    assertThat(base.beneath(layers, Set.of("a"))).isEqualTo(layers);
    assertThat(BaseValue.oneReplica().beneath(values("{replicaCount: 3}"), Set.of("replicaCount")))
        .isEqualTo(values("{replicaCount: 3}"));
  }

  private static Values values(String yaml) {
    return ((ParsedValues.Parsed) Values.parse("test", yaml)).values();
  }
}

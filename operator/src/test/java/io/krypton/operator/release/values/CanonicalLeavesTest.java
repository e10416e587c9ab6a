// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.values;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.values.ChartValues.ParseResult;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CanonicalLeavesTest {

  @ParameterizedTest(name = "{0} gives {1}")
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "{replicaCount: 2, image: {tag: v1}, args: [a, '1']}; args[0]=a|args[1]=\"1\"|image.tag=v1|replicaCount=2",
        "{a: ''}; a=\"\"",
        "{a: 'true', b: true}; a=\"true\"|b=true",
        "{a: 'null', b: ~}; a=\"null\"|b=null",
        "{a: '1.50', b: 1.50}; a=\"1.50\"|b=1.5",
        "{a: 'yes'}; a=yes",
        "{a: 1.2.3}; a=1.2.3",
        "{a: 'x|y'}; a=\"x|y\"",
        "{a: 'say \"hi\"'}; a=\"say \\\"hi\\\"\"",
        "{a: 'back\\slash'}; a=\"back\\\\slash\"",
        "{a: \"two\\nlines\"}; a=\"two\\nlines\"",
        "{a: {}, b: [], c: '{}', d: '[]'}; a={}|b=[]|c=\"{}\"|d=\"[]\"",
        "{a: [[1], {b: [2]}]}; a[0][0]=1|a[1].b[0]=2",
        "{'a.b': {'[c]': 1}, 'd=e|f\\g': 2}; a\\.b.\\[c\\]=1|d\\=e\\|f\\\\g=2",
        "{a: 1e21, b: 1e-7, c: 100000000000000000000, d: 123456789.25, e: 2.0}; a=1e+21|b=1e-7|c=100000000000000000000|d=123456789.25|e=2",
        "{}; ``",
      })
  void every_leaf_has_one_text(String yaml, String leaves) {
    var chartValues = ((ParseResult.Parsed) ChartValues.parse("test", yaml)).values();
    assertThat(String.join("|", chartValues.canonicalLeaves())).isEqualTo(leaves);
  }

  @Test
  void paths_are_in_byte_order_not_in_the_order_of_java_characters() {
    var chartValues =
        ChartValues.of(Map.of("\uFF5E", 1, "\uD83D\uDE00", 2, "a-b", 3, "a.b", 4, "a", 5));
    assertThat(chartValues.canonicalLeaves())
        .containsExactly("a=5", "a-b=3", "a\\.b=4", "\uFF5E=1", "\uD83D\uDE00=2");
  }

  @Test
  void numbers_of_any_java_type_have_the_same_text() {
    for (Number two : List.of(2, 2L, (short) 2, 2.0, 2.0f, java.math.BigDecimal.valueOf(20, 1))) {
      assertThat(ChartValues.of(Map.of("a", two)).canonicalLeaves()).containsExactly("a=2");
    }
  }
}

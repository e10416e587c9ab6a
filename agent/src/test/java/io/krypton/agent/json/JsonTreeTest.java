// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JsonTreeTest {
  private static final ObjectMapper MAPPER = new ObjectMapper();

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{}",
        "[]",
        "null",
        "{\"a\":{\"b\":[1,-2,true,false,null,\"x\"]},\"c\":[]}",
        "{\"long\":9007199254740993,\"huge\":123456789012345678901234567890,\"part\":1.5}",
        "\"\\u0000 \\\" \\\\ / \\n \\u2028 \u00e4 \ud83d\ude00\"",
      })
  void a_tree_is_written_and_read_as_the_mapper_does_it(String json) throws IOException {
    var expected = MAPPER.readTree(json);
    assertThat(JsonTree.write(expected)).isEqualTo(MAPPER.writeValueAsString(expected));
    assertThat(JsonTree.write(JsonTree.read(json.getBytes(UTF_8))))
        .isEqualTo(MAPPER.writeValueAsString(expected));
  }

  @Test
  void nothing_is_missing() throws IOException {
    assertThat(JsonTree.read(new byte[0]).isMissingNode()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"{", "[1", "{\"a\":}", "<html>", "{\"a\" 1}", "[1,]"})
  void what_is_no_json_is_refused(String text) {
    assertThatThrownBy(() -> JsonTree.read(text.getBytes(UTF_8))).isInstanceOf(IOException.class);
  }
}

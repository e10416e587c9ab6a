// SPDX-License-Identifier: Apache-2.0
package io.krypton.api.time;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.api.time.ApiTimestamps.Timestamp;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ApiTimestampsTest {
  private static final ObjectMapper PLAIN = new ObjectMapper();

  record Event(@Timestamp @Nullable Instant at) {}

  @ParameterizedTest
  @CsvSource({
    "2026-05-08T12:34:56Z, 2026-05-08T12:34:56Z",
    "2026-05-08T14:34:56+02:00, 2026-05-08T12:34:56Z",
    "2026-05-08T12:34:56.5Z, 2026-05-08T12:34:56.500Z"
  })
  void rfc_3339_is_read_and_written_by_a_plain_mapper(String text, String written)
      throws JsonProcessingException {
    var event = PLAIN.readValue("{\"at\":\"%s\"}".formatted(text), Event.class);

    assertThat(PLAIN.writeValueAsString(event)).isEqualTo("{\"at\":\"%s\"}".formatted(written));
  }

  @ParameterizedTest
  @ValueSource(strings = {"\"2026-06-30T23:59:60Z\"", "\"yesterday\"", "\"\"", "12", "null"})
  void an_unreadable_time_is_null_and_does_not_hide_the_rest(String json)
      throws JsonProcessingException {
    assertThat(PLAIN.readValue("{\"at\":%s}".formatted(json), Event.class).at()).isNull();
  }

  @Test
  void only_whole_seconds_are_kept() {
    assertThat(ApiTimestamps.wholeSeconds(Instant.parse("2026-05-08T12:34:56.789Z")))
        .isEqualTo("2026-05-08T12:34:56Z");
    assertThat(ApiTimestamps.wholeSeconds(null)).isNull();
  }
}

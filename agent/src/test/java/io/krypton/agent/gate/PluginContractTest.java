// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class PluginContractTest {
  @ParameterizedTest
  @EnumSource(ExplainFormat.class)
  void every_reason_is_in_the_contract(ExplainFormat explainFormat) {
    var text = explainFormat.contract(PluginContract.rows(), PluginContract.notes());
    for (var reason : Reason.values()) {
      assertThat(text).contains(reason.value());
    }
    assertThat(text).contains("KMSInvalidStateException").contains("keyid-mismatch");
  }

  @Test
  void json_is_json() throws IOException {
    var json =
        new ObjectMapper().readTree(ExplainFormat.JSON.contract(PluginContract.rows(), List.of()));
    assertThat(json.path("rows")).hasSize(Reason.values().length);
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource({
    "NOT_FOUND, FATAL, RpcRefused",
    "unavailable, WAIT, RpcError",
    "DEADLINE_EXCEEDED, WAIT, Timeout",
    "UNIMPLEMENTED, FATAL, Unimplemented",
    "ENOENT, WAIT, SocketMissing",
    "EACCES, FATAL, SocketDenied",
    "EMFILE, WAIT, ConnectFailed",
    "http:503, WAIT, HttpHealthz",
    "http:500, FATAL, HttpHealthz",
    "http:200, OK, ''",
    "OK, OK, ''",
  })
  void a_code_has_a_row(String code, Verdict verdict, String reason) {
    assertThat(PluginContract.forCode(code))
        .hasValueSatisfying(
            row -> {
              assertThat(row.verdict()).isEqualTo(verdict);
              assertThat(row.reason()).isEqualTo(reason);
            });
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "http:999", "http:", "''"})
  void what_is_no_code_has_none(String code) {
    assertThat(PluginContract.forCode(code)).isEmpty();
  }
}

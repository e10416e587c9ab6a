package io.krypton.agent.gate.explain;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class ContractTest {
  @ParameterizedTest
  @EnumSource(Form.class)
  void every_reason_is_in_the_contract(Form form) {
    var text = form.contract(Contract.rows(), Contract.notes());
    for (var reason : Reason.values()) {
      assertThat(text).contains(reason.word());
    }
    assertThat(text).contains("KMSInvalidStateException").contains("keyid-mismatch");
  }

  @Test
  void json_is_json() throws IOException {
    var json = new ObjectMapper().readTree(Form.JSON.contract(Contract.rows(), List.of()));
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
    assertThat(Contract.of(code))
        .hasValueSatisfying(
            row -> {
              assertThat(row.verdict()).isEqualTo(verdict);
              assertThat(row.reason()).isEqualTo(reason);
            });
  }

  @ParameterizedTest
  @CsvSource({"nonsense", "http:999", "http:", "''"})
  void what_is_no_code_has_none(String code) {
    assertThat(Contract.of(code)).isEmpty();
  }
}

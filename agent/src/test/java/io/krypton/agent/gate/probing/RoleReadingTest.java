package io.krypton.agent.gate.probing;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.lab.Views;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Level;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleReadingTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      value = {
        "a writer must encrypt             | WRITE | V2 | RpcRefused | encrypt | true  | RUNNING | FATAL | RpcRefused",
        "a v1 writer must encrypt          | WRITE | V1 | RpcRefused | encrypt | false | RUNNING | FATAL | RpcRefused",
        "a v2 reader must, before a start  | READ  | V2 | RpcRefused | encrypt | false | START | FATAL | RpcRefused",
        "a v2 reader need not, afterwards  | READ  | V2 | RpcRefused | encrypt | false | RUNNING | OK    | RpcRefused",
        "a v1 reader need not, if proven   | READ  | V1 | RpcRefused | encrypt | true  | START | OK    | RpcRefused",
        "a v1 reader without a proof       | READ  | V1 | RpcRefused | encrypt | false | START | OK    | DecryptUnproven",
        "a reader must decrypt             | READ  | V1 | RpcRefused | decrypt | false | RUNNING | FATAL | RpcRefused",
        "a reader that encrypts nonsense   | READ  | V1 | NotEncrypted | encrypt | false | RUNNING | FATAL | NotEncrypted",
        "no reader may refuse at a reload  | READ  | V2 | RpcRefused | encrypt | false | RELOAD | FATAL | RpcRefused",
        "not even one of v1                | READ  | V1 | RpcRefused | encrypt | true  | RELOAD | FATAL | RpcRefused",
        "a reader that is only slow        | READ  | V2 | Timeout    | encrypt | false | RUNNING | WAIT  | Timeout",
      })
  void what_a_failure_means_in_a_role(
      String rule,
      ProviderRole role,
      KmsApi api,
      String reason,
      String phase,
      boolean decryptProven,
      Moment moment,
      Verdict verdict,
      String counted) {
    var result = result(finding(reason, phase), decryptProven);
    assertThat(RoleReading.read(role, api, result, moment))
        .isInstanceOfSatisfying(
            Outcome.Failing.class,
            failing -> {
              assertThat(failing.finding().verdict()).isEqualTo(verdict);
              assertThat(failing.finding().reason().word()).isEqualTo(counted);
            });
  }

  private static Finding finding(String reason, String phase) {
    for (var known : Reason.values()) {
      if (known.word().equals(reason)) {
        return Views.finding(
            known, phase.equals("encrypt") ? Phase.ENCRYPT : Phase.DECRYPT, "", "no");
      }
    }
    throw new AssertionError(reason);
  }

  private static ProbeResult result(Finding finding, boolean decryptProven) {
    return new ProbeResult(
        "p",
        Level.DEEP,
        Views.SINCE,
        Duration.ZERO,
        Duration.ZERO,
        new Outcome.Failing(finding),
        "k",
        decryptProven,
        List.of());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.lab.Views;
import io.krypton.agent.gate.probe.RoleEvaluator.ApiServerPhase;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.ProbeOutcome.ProbeLevel;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.rpc.KmsApiVersion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RoleEvaluatorTest {
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
      KmsApiVersion api,
      String reason,
      String phase,
      boolean decryptProven,
      ApiServerPhase apiServerPhase,
      Verdict verdict,
      String counted) {
    var result = result(finding(reason, phase), decryptProven);
    assertThat(RoleEvaluator.evaluate(role, api, result, apiServerPhase))
        .isInstanceOfSatisfying(
            ProbeOutcome.Failing.class,
            failing -> {
              assertThat(failing.finding().verdict()).isEqualTo(verdict);
              assertThat(failing.finding().reason().value()).isEqualTo(counted);
            });
  }

  private static ProbeFinding finding(String reason, String phase) {
    for (var known : Reason.values()) {
      if (known.value().equals(reason)) {
        return Views.finding(
            known, phase.equals("encrypt") ? ProbePhase.ENCRYPT : ProbePhase.DECRYPT, "", "no");
      }
    }
    throw new AssertionError(reason);
  }

  private static PluginProbeResult result(ProbeFinding probeFinding, boolean decryptProven) {
    return new PluginProbeResult(
        "p",
        ProbeLevel.DEEP,
        Views.SINCE,
        Duration.ZERO,
        Duration.ZERO,
        new ProbeOutcome.Failing(probeFinding),
        "k",
        decryptProven,
        List.of());
  }
}

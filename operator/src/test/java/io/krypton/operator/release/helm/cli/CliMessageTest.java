// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.helm.HelmMessage.Redactor;
import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import io.krypton.operator.release.helm.process.ChildProcess.ProcessResult;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CliMessageTest {

  @Test
  void a_message_is_the_verdict_of_helm_without_our_file_names() {
    var processResult =
        failed(
            "level=WARN msg=x\nError: INSTALLATION FAILED: failed to parse /run/7/values.json: bad\n");
    assertThat(message(processResult))
        .isEqualTo("INSTALLATION FAILED: failed to parse values.json: bad");
  }

  @Test
  void a_long_message_keeps_its_end_and_no_half_of_a_secret() {
    var errors = "Error: " + "swordfish".repeat(10_000) + " and so on";
    assertThat(message(failed(errors)))
        .hasSize(4096)
        .endsWith(" and so on")
        .doesNotContain("sword");
  }

  @Test
  void silence_is_told_by_the_exit_code() {
    assertThat(message(failed(""))).isEqualTo("helm ended with exit code 1 and said nothing");
  }

  private static ProcessResult failed(String errors) {
    return new ProcessResult(EndReason.EXITED, 1, "", errors);
  }

  private static String message(ProcessResult processResult) {
    return CliMessage.of(processResult, new Redactor(Set.of("swordfish")), Path.of("/run/7"));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.wait;

import static io.krypton.agent.gate.lab.Views.NOW;
import static io.krypton.agent.gate.lab.Views.failing;
import static io.krypton.agent.gate.lab.Views.finding;
import static io.krypton.agent.gate.lab.Views.inUse;
import static io.krypton.agent.gate.lab.Views.missing;
import static io.krypton.agent.gate.lab.Views.ok;
import static io.krypton.agent.gate.lab.Views.provider;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.lab.LogLines;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.Reason;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class ProgressLogTest {
  private static final ProbeFinding ERR = finding(Reason.NOT_OK, ProbePhase.STATUS, "", "err");

  @Test
  void a_plugin_that_answers_with_errors_for_a_minute_may_be_broken_for_ever() {
    try (var log = LogLines.of(ProgressLog.class.getName())) {
      var progress = new ProgressLog(Duration.ZERO);
      var gateStatus = inUse(failing(provider(0, "vault"), ERR)).at(NOW);
      progress.log(gateStatus, Duration.ofSeconds(59));
      assertThat(log.texts()).noneMatch(line -> line.contains("permanent:"));
      progress.log(gateStatus, Duration.ofSeconds(60));
      assertThat(log.texts())
          .anyMatch(
              line -> line.contains("vault answered with errors for 60s. This may be permanent:"));
    }
  }

  @Test
  void the_minute_counts_from_the_last_time_that_all_was_well() {
    try (var log = LogLines.of(ProgressLog.class.getName())) {
      var progress = new ProgressLog(Duration.ZERO);
      progress.log(inUse(ok(provider(0, "vault"))).at(NOW), Duration.ofSeconds(50));
      progress.log(inUse(failing(provider(0, "vault"), ERR)).at(NOW), Duration.ofSeconds(100));
      assertThat(log.texts()).noneMatch(line -> line.contains("permanent:"));
    }
  }

  @Test
  void a_missing_socket_gets_the_hint_about_the_order_of_starts_instead() {
    try (var log = LogLines.of(ProgressLog.class.getName())) {
      var progress = new ProgressLog(Duration.ZERO);
      var gateStatus = inUse(failing(provider(0, "vault"), missing())).at(NOW);
      progress.log(gateStatus, Duration.ofSeconds(61));
      assertThat(log.texts())
          .anyMatch(line -> line.contains("missing sockets: /run/vault.sock"))
          .noneMatch(line -> line.contains("permanent:"));
    }
  }
}

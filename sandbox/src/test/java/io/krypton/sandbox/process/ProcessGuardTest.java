// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ProcessGuardTest {
  private static final List<String> LONG_SLEEP = List.of("/bin/sleep", "1000");

  @Test
  void closing_ends_every_process_and_removes_the_directory()
      throws IOException, InterruptedException {
    var processGuard = ProcessGuard.forNewDirectory("krypton-guard-test-");
    var first = processGuard.launch(LONG_SLEEP, processGuard.logs().resolve("first.log"));
    var second = processGuard.launch(LONG_SLEEP, processGuard.logs().resolve("second.log"));
    assertThat(first.isAlive() && second.isAlive()).isTrue();

    processGuard.close();

    assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(processGuard.directory()).doesNotExist();
  }

  @Test
  void logs_can_be_kept_but_state_is_not() throws IOException {
    var processGuard = ProcessGuard.forNewDirectory("krypton-guard-test-");
    Files.writeString(processGuard.logs().resolve("server.log"), "why it failed");
    Files.writeString(processGuard.state().resolve("server.key"), "secret");

    processGuard.keepLogs();
    processGuard.close();

    assertThat(processGuard.logs().resolve("server.log")).hasContent("why it failed");
    assertThat(processGuard.state()).doesNotExist();
    Files.delete(processGuard.logs().resolve("server.log"));
    Files.delete(processGuard.logs());
    Files.delete(processGuard.directory());
  }

  @Test
  void a_launch_that_comes_after_the_end_starts_nothing() throws IOException, InterruptedException {
    var processGuard = ProcessGuard.forNewDirectory("krypton-guard-test-");
    var log = Files.createTempFile("krypton-guard-test-", ".log");
    processGuard.close();

    var late = processGuard.launch(List.of("/bin/echo", "alive"), log);

    assertThat(late.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(late.exitValue()).isNotZero();
    assertThat(log).content().doesNotContain("alive");
    Files.delete(log);
  }

  @Test
  void an_ended_process_is_forgotten_so_that_its_number_may_be_given_out_again()
      throws IOException, InterruptedException {
    try (var processGuard = ProcessGuard.forNewDirectory("krypton-guard-test-")) {
      var process =
          processGuard.launch(List.of("/bin/true"), processGuard.logs().resolve("true.log"));
      var registration = processGuard.directory().resolve("pids").resolve("" + process.pid());
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

      await().untilAsserted(() -> assertThat(registration).doesNotExist());
    }
  }
}

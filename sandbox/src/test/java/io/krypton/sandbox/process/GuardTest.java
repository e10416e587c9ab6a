package io.krypton.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class GuardTest {
  private static final List<String> LONG_SLEEP = List.of("/bin/sleep", "1000");

  @Test
  void closing_ends_every_process_and_removes_the_directory()
      throws IOException, InterruptedException {
    var guard = Guard.overNewDirectory("krypton-guard-test-");
    var first = guard.launch(LONG_SLEEP, guard.logs().resolve("first.log"));
    var second = guard.launch(LONG_SLEEP, guard.logs().resolve("second.log"));
    assertThat(first.isAlive() && second.isAlive()).isTrue();

    guard.close();

    assertThat(first.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(second.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(guard.directory()).doesNotExist();
  }

  @Test
  void logs_can_be_kept_but_state_is_not() throws IOException {
    var guard = Guard.overNewDirectory("krypton-guard-test-");
    Files.writeString(guard.logs().resolve("server.log"), "why it failed");
    Files.writeString(guard.state().resolve("server.key"), "secret");

    guard.keepLogs();
    guard.close();

    assertThat(guard.logs().resolve("server.log")).hasContent("why it failed");
    assertThat(guard.state()).doesNotExist();
    Files.delete(guard.logs().resolve("server.log"));
    Files.delete(guard.logs());
    Files.delete(guard.directory());
  }

  @Test
  void a_launch_that_comes_after_the_end_starts_nothing() throws IOException, InterruptedException {
    var guard = Guard.overNewDirectory("krypton-guard-test-");
    var log = Files.createTempFile("krypton-guard-test-", ".log");
    guard.close();

    var late = guard.launch(List.of("/bin/echo", "alive"), log);

    assertThat(late.waitFor(30, TimeUnit.SECONDS)).isTrue();
    assertThat(late.exitValue()).isNotZero();
    assertThat(log).content().doesNotContain("alive");
    Files.delete(log);
  }

  @Test
  void an_ended_process_is_forgotten_so_that_its_number_may_be_given_out_again()
      throws IOException, InterruptedException {
    try (var guard = Guard.overNewDirectory("krypton-guard-test-")) {
      var process = guard.launch(List.of("/bin/true"), guard.logs().resolve("true.log"));
      var registration = guard.directory().resolve("pids").resolve("" + process.pid());
      assertThat(process.waitFor(30, TimeUnit.SECONDS)).isTrue();

      await().untilAsserted(() -> assertThat(registration).doesNotExist());
    }
  }
}

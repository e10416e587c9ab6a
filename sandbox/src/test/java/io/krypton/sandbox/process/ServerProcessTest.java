// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.process.ServerProcess.ReadinessProbe;
import io.krypton.sandbox.process.ServerProcess.StartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** With shells in the place of servers. */
class ServerProcessTest {
  private final ProcessGuard processGuard = ProcessGuard.forNewDirectory("krypton-process-test-");

  @AfterEach
  void everything_is_gone_afterwards() {
    processGuard.close();
    assertThat(processGuard.directory()).doesNotExist();
  }

  @Test
  void a_stopped_server_starts_again_as_another_process_with_the_same_log() throws IOException {
    var server = shell("echo hello; exec sleep 1000");
    server.start();
    await().untilAsserted(() -> assertThat(server.log()).hasContent("hello\n"));
    var firstPid = server.pid();
    server.stop();
    assertThat(server.isAlive()).isFalse();

    server.start();

    assertThat(server.isAlive()).isTrue();
    assertThat(server.pid()).isNotEqualTo(firstPid);
    await().untilAsserted(() -> assertThat(server.log()).hasContent("hello\nhello\n"));
  }

  @Test
  void a_server_that_ignores_sigterm_is_stopped_all_the_same() {
    var server = shell("trap '' TERM; echo deaf; exec sleep 1000");
    server.start();
    await().untilAsserted(() -> assertThat(server.log()).hasContent("deaf\n"));

    server.stop(Duration.ofMillis(100));

    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void a_frozen_server_can_be_thawed_and_killed() throws IOException {
    var server = shell("exec sleep 1000");
    server.start();
    server.freeze();
    assertThat(stateOf(server.pid())).isEqualTo('T');
    server.thaw();
    await().untilAsserted(() -> assertThat(stateOf(server.pid())).isEqualTo('S'));
    server.freeze();

    server.kill();

    assertThat(server.isAlive()).isFalse();
  }

  @Test
  void a_server_that_ends_early_tells_its_last_lines() {
    var server = shell("for i in $(seq 50); do echo line $i; done; exit 3", () -> false);

    assertThatThrownBy(server::start)
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("sh ended before it was ready")
        .hasMessageContaining(server.log().toString())
        .hasMessageContaining("line 31")
        .hasMessageEndingWith("line 50")
        .hasMessageNotContaining("line 30");
  }

  @Test
  void a_server_that_is_never_ready_fails_in_time() {
    var server = shell("exec sleep 1000", () -> false);

    assertThatThrownBy(server::start)
        .isInstanceOf(StartFailedException.class)
        .hasMessageContaining("was not ready after 1 s");
  }

  @Test
  void a_running_server_is_not_started_twice() {
    var server = shell("exec sleep 1000");
    server.start();

    assertThatThrownBy(server::start).hasMessage("sh is running already");
  }

  private ServerProcess shell(String script) {
    return shell(script, () -> true);
  }

  private ServerProcess shell(String script, ReadinessProbe readinessProbe) {
    return new ServerProcess(
        "sh",
        processGuard,
        List.of("/bin/sh", "-c", script),
        readinessProbe,
        Duration.ofSeconds(1));
  }

  private static char stateOf(long pid) throws IOException {
    var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
    return stat.charAt(stat.lastIndexOf(')') + 2);
  }
}

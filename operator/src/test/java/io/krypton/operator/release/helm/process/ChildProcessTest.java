// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.helm.process.ChildProcess.EndReason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChildProcessTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;

  @Test
  void output_beyond_any_pipe_neither_blocks_nor_piles_up() throws IOException {
    var processResult =
        shell(
                "head -c 5000000 /dev/zero | tr '\\0' o; head -c 5000000 /dev/zero | tr '\\0' e >&2; echo end")
            .await(LONG);
    assertThat(processResult.endReason()).isEqualTo(EndReason.EXITED);
    assertThat(processResult.output()).endsWith("oooend\n").hasSizeLessThanOrEqualTo(1 << 20);
    assertThat(processResult.errors()).endsWith("eee").hasSizeLessThanOrEqualTo(1 << 20);
  }

  @Test
  void nothing_of_our_environment_is_inherited() throws IOException {
    var processResult = shell("env").await(LONG);
    assertThat(processResult.output()).contains("PATH=/usr/bin:/bin").doesNotContain("HOME=");
  }

  @Test
  void a_timeout_ends_the_whole_tree() throws IOException {
    var child = shell("sleep 1000 & echo $! > grandchild; wait");
    var grandchild = pidIn("grandchild");
    var processResult = child.await(Duration.ofMillis(10));
    assertThat(processResult.endReason()).isEqualTo(EndReason.TIMED_OUT);
    assertThat(isAlive(grandchild)).isFalse();
  }

  @Test
  void who_ignores_the_request_to_end_is_killed_after_the_grace() throws IOException {
    var child =
        shell(
            "trap '' TERM; (trap '' TERM; while :; do sleep 1; done) & echo $! > grandchild; while :; do sleep 1; done");
    var grandchild = pidIn("grandchild");
    child.stop(Duration.ofMillis(200));
    var processResult = child.await(LONG);
    assertThat(processResult.endReason()).isEqualTo(EndReason.STOPPED);
    assertThat(processResult.exitCode()).isEqualTo(137);
    assertThat(isAlive(grandchild)).isFalse();
  }

  @Test
  void a_grandchild_that_outlives_its_parent_is_ended_too() throws IOException {
    var child = shell("(trap '' TERM; while :; do sleep 1; done) & echo $! > grandchild; wait");
    var grandchild = pidIn("grandchild");
    child.stop(Duration.ofMillis(200));
    assertThat(child.await(LONG).endReason()).isEqualTo(EndReason.STOPPED);
    assertThat(isAlive(grandchild)).isFalse();
  }

  @Test
  void an_interrupt_ends_the_child_and_stays_set() throws IOException, InterruptedException {
    var child = shell("echo $$ > self; exec sleep 1000");
    var self = pidIn("self");
    var ending = new AtomicReference<EndReason>();
    var caller =
        Thread.startVirtualThread(
            () -> {
              var processResult = child.await(LONG);
              if (Thread.currentThread().isInterrupted()) {
                ending.set(processResult.endReason());
              }
            });
    caller.interrupt();
    assertThat(caller.join(LONG)).isTrue();
    assertThat(ending.get()).isEqualTo(EndReason.STOPPED);
    assertThat(isAlive(self)).isFalse();
  }

  @Test
  void after_a_suspension_an_interrupted_child_is_killed_without_a_request()
      throws IOException, InterruptedException {
    var clock = new AtomicLong();
    var child =
        ChildProcess.start(
            List.of(
                "/bin/sh",
                "-c",
                "trap 'touch asked; exit' TERM; echo $$ > self; while :; do sleep 0.1; done"),
            Map.of("PATH", "/usr/bin:/bin"),
            directory,
            clock::get);
    pidIn("self");
    var exit = new AtomicInteger();
    var caller = Thread.startVirtualThread(() -> exit.set(child.await(LONG).exitCode()));
    clock.addAndGet(LONG.dividedBy(2).toNanos());
    caller.interrupt();
    assertThat(caller.join(LONG)).isTrue();
    assertThat(exit.get()).isEqualTo(137);
    assertThat(directory.resolve("asked")).doesNotExist();
  }

  private ChildProcess shell(String script) throws IOException {
    return ChildProcess.start(
        List.of("/bin/sh", "-c", script), Map.of("PATH", "/usr/bin:/bin"), directory);
  }

  private long pidIn(String file) {
    var path = directory.resolve(file);
    await()
        .atMost(LONG)
        .pollInterval(Duration.ofMillis(10))
        .until(() -> Files.exists(path) && Files.readString(path).endsWith("\n"));
    try {
      return Long.parseLong(Files.readString(path).strip());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  private static boolean isAlive(long pid) {
    return ProcessHandle.of(pid).map(ProcessHandle::isAlive).orElse(false);
  }
}

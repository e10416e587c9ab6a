// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/background} and {@code tools/burn}: what they start, they end, and nothing else. */
class BackgroundScriptIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final String SCRIPT = Shell.ROOT.resolve("tools/background").toString();
  private static final String BURN = Shell.ROOT.resolve("tools/burn").toString();

  @TempDir Path directory;

  @Test
  void a_process_is_started_once_and_ended() throws Exception {
    start("sleep", "1000");
    var process = process();

    var again = shell().run(LIMIT, SCRIPT, "start", "pid", "log", "sleep", "1000");

    assertThat(again.exit()).isEqualTo(1);
    assertThat(again.err()).contains("process " + process.pid() + " of pid still runs");
    assertThat(stop()).isEqualTo("process " + process.pid() + " has ended\n");
    assertThat(isGone(process)).isTrue();
    assertThat(directory.resolve("pid")).doesNotExist();
    assertThat(stop()).isEqualTo("nothing runs\n");
  }

  @Test
  void one_that_does_not_want_to_end_is_killed() throws Exception {
    start("bash", "-c", "trap '' TERM; echo deaf; while :; do sleep 0.1; done");
    await().atMost(LIMIT).until(() -> Files.readString(directory.resolve("log")).contains("deaf"));
    var process = process();

    assertThat(stop("1")).contains("did not end within 1 s and was killed");
    await().atMost(LIMIT).until(() -> isGone(process));
  }

  @Test
  void a_process_that_only_has_the_same_number_is_left_alone() throws Exception {
    start("sleep", "1000");
    var process = process();
    try {
      Files.writeString(directory.resolve("pid"), process.pid() + " 1\n");

      assertThat(stop()).isEqualTo("nothing runs\n");
      assertThat(isGone(process)).isFalse();
    } finally {
      process.destroyForcibly();
    }
  }

  @Test
  void burners_end_with_their_command_whose_exit_code_counts() throws Exception {
    var children = "ps -o pid= --ppid $PPID | wc -l >children; ";
    var result = shell().run(LIMIT, BURN, "2", "bash", "-c", children + "echo $PPID; exit 7");

    assertThat(result.exit()).isEqualTo(7);
    assertThat(Files.readString(directory.resolve("children")).strip()).isEqualTo("3");
    assertThat(ProcessHandle.of(Long.parseLong(result.out().strip()))).isEmpty();
    assertThat(shell().run(LIMIT, BURN).exit()).isEqualTo(2);
  }

  private void start(String... command) throws Exception {
    var arguments = new String[command.length + 4];
    arguments[0] = SCRIPT;
    arguments[1] = "start";
    arguments[2] = "pid";
    arguments[3] = "log";
    System.arraycopy(command, 0, arguments, 4, command.length);
    assertThat(shell().run(LIMIT, arguments).exit()).isZero();
  }

  private String stop(String... patience) throws Exception {
    return patience.length == 0
        ? shell().run(LIMIT, SCRIPT, "stop", "pid").out()
        : shell().run(LIMIT, SCRIPT, "stop", "pid", patience[0]).out();
  }

  private ProcessHandle process() throws Exception {
    var pid = Files.readString(directory.resolve("pid")).split(" ")[0];
    return ProcessHandle.of(Long.parseLong(pid)).orElseThrow();
  }

  /** An ended process that nobody has waited for counts as gone. */
  private static boolean isGone(ProcessHandle process) throws Exception {
    var status = Path.of("/proc", Long.toString(process.pid()), "status");
    return !Files.exists(status) || Files.readString(status).contains("State:\tZ");
  }

  private Shell shell() {
    return new Shell(directory);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.owner;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.BufferedReader;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class OwnerDeathIT {
  @Test
  void five_seconds_after_sigkill_to_the_jvm_neither_running_nor_frozen_servers_are_left()
      throws IOException {
    var owner = startOwner();
    try (var out = owner.inputReader()) {
      var told = lastLine(out).split(" ");
      long etcd = Long.parseLong(told[0]);
      long apiServer = Long.parseLong(told[1]);
      var directory = Path.of(told[2]);
      assertThat(stateOf(etcd)).isEqualTo('T');
      assertThat(isRunning(apiServer)).isTrue();

      owner.destroyForcibly();

      await()
          .atMost(Duration.ofSeconds(30))
          .until(() -> !isRunning(etcd) && !isRunning(apiServer) && !Files.exists(directory));
    } finally {
      owner.destroyForcibly();
    }
  }

  private static Process startOwner() throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var classPath = System.getProperty("java.class.path");
    return new ProcessBuilder(java, "-cp", classPath, OwnerMain.class.getName())
        .redirectError(Redirect.INHERIT)
        .start();
  }

  /**
   * Skips log lines; the owner's own line is the only one that begins with a number and a space.
   */
  private static String lastLine(BufferedReader out) throws IOException {
    for (String line; (line = out.readLine()) != null; ) {
      if (line.matches("\\d+ \\d+ .*")) {
        return line;
      }
    }
    throw new AssertionError("the owner ended without a word");
  }

  /** An ended process that nobody has collected yet does not run any more. */
  private static boolean isRunning(long pid) throws IOException {
    var state = stateOf(pid);
    return state != 'Z' && state != 'X';
  }

  private static char stateOf(long pid) throws IOException {
    try {
      var stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2);
    } catch (NoSuchFileException e) {
      return 'X';
    }
  }
}

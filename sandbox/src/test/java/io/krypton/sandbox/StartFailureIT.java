// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.krypton.sandbox.process.ServerProcess.StartFailedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class StartFailureIT {
  @Test
  void the_exception_shows_the_log_of_the_culprit_and_no_process_is_left() throws IOException {
    var healthy = ControlPlane.builder("healthy").withoutControllerManager();
    var broken = ControlPlane.builder("broken").apiServerFlag("no-such-flag", "1");

    var failure =
        catchThrowableOfType(
            StartFailedException.class, () -> ControlPlane.startAll(healthy, broken));

    assertThat(failure)
        .hasMessageStartingWith("kube-apiserver ended before it was ready")
        .hasMessageContaining("unknown flag: --no-such-flag");
    var log = logNamedIn(failure);
    assertThat(log).isRegularFile().content().contains("unknown flag: --no-such-flag");
    var directory = log.resolve("../..").normalize();
    assertThat(directory.resolve("state")).doesNotExist();
    assertThat(directory.resolve("logs/etcd.log")).isNotEmptyFile();
    assertThat(ProcessHandle.current().descendants().filter(ProcessHandle::isAlive))
        .noneMatch(process -> commandLine(process).matches(".*krypton-(healthy|broken)-.*"));
    delete(directory);
  }

  private static Path logNamedIn(StartFailedException failure) {
    var matcher = Pattern.compile("last lines of (\\S+):").matcher(failure.getMessage());
    assertThat(matcher.find()).isTrue();
    return Path.of(matcher.group(1));
  }

  private static String commandLine(ProcessHandle process) {
    return process.info().commandLine().orElse("");
  }

  private static void delete(Path directory) throws IOException {
    try (var files = Files.walk(directory)) {
      for (var file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The plugin as a process of its own, as a node would run it. */
class PluginProgramIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  @TempDir Path directory;
  private Path socket;
  private Path keys;
  private Path fault;
  private Path said;
  private Process plugin;

  @BeforeEach
  void serve() throws IOException {
    socket = directory.resolve("kms-1.sock");
    keys = directory.resolve("keys.json");
    fault = directory.resolve("fault");
    said = directory.resolve("said");
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("--enable-native-access=ALL-UNNAMED", "-cp"));
    command.addAll(List.of(System.getProperty("java.class.path"), Main.class.getName()));
    command.addAll(List.of("plugin", "serve", "--socket=unix://" + socket));
    command.addAll(List.of("--key-file=" + keys, "--fault-file=" + fault, "--socket-mode=0660"));
    plugin =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(said.toFile()).start();
    await().atMost(SOON).until(() -> Files.readString(said).contains("serving unix://" + socket));
  }

  @AfterEach
  void stop() {
    plugin.destroyForcibly();
  }

  @Test
  void it_makes_its_files_for_few_eyes_follows_faults_and_leaves_no_socket() throws Exception {
    assertThat(Files.readString(said)).contains("for development only").contains(" with key k1-");
    assertThat(mode(socket)).isEqualTo("rw-rw----");
    assertThat(mode(keys)).isEqualTo("rw-------");

    assertThat(Main.commandLine().execute("plugin", "fault", "--fault-file=" + fault, "down"))
        .isZero();
    await().atMost(SOON).until(() -> !Files.exists(socket));
    assertThat(Main.commandLine().execute("plugin", "fault", "--fault-file=" + fault, "none"))
        .isZero();
    await().atMost(SOON).until(() -> Files.exists(socket));
    assertThat(mode(socket)).isEqualTo("rw-rw----");

    plugin.destroy();
    assertThat(plugin.waitFor(SOON.toSeconds(), TimeUnit.SECONDS)).isTrue();
    assertThat(plugin.exitValue()).isEqualTo(143);
    assertThat(Files.exists(socket)).isFalse();
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}

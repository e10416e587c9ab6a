// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.testkit.ScriptedKmsV2;
import io.krypton.kms.testkit.ScriptedPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Permissions as the kernel checks them. They do not bite root, so that the look is taken by a
 * child process, which has laid down root's capabilities where it is root.
 */
class DeniedTest {
  private Path closed;
  private Path socket;
  private ScriptedPlugin plugin;

  @BeforeEach
  void serve(@TempDir Path directory) throws IOException {
    closed = Files.createDirectory(directory.resolve("closed"));
    socket = closed.resolve("kms.sock");
    plugin = ScriptedPlugin.at(socket, new ScriptedKmsV2());
  }

  @AfterEach
  void stop() throws IOException {
    permit(closed, "rwx------");
    plugin.close();
  }

  @Test
  void a_socket_that_may_be_reached_and_written_is_connected() throws Exception {
    assertThat(lookWithoutPrivileges()).isEqualTo("connected, healthy");
  }

  @Test
  void a_socket_without_write_permission_is_denied() throws Exception {
    permit(socket, "r--r--r--");
    assertThat(lookWithoutPrivileges()).isEqualTo("DENIED EACCES, FATAL SocketDenied");
  }

  @Test
  void a_directory_that_may_not_be_searched_is_denied() throws Exception {
    permit(closed, "---------");
    assertThat(lookWithoutPrivileges()).isEqualTo("DENIED EACCES, FATAL SocketDenied");
  }

  private String lookWithoutPrivileges() throws IOException, InterruptedException {
    var command = new ArrayList<String>();
    if (System.getProperty("user.name").equals("root")) {
      command.addAll(List.of("setpriv", "--bounding-set=-all", "--inh-caps=-all"));
    }
    command.addAll(
        List.of(
            ProcessHandle.current().info().command().orElseThrow(),
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            SocketCheckMain.class.getName(),
            socket.toString()));
    var child = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT).start();
    var said = new String(child.getInputStream().readAllBytes(), UTF_8).strip();
    assertThat(child.waitFor(30, TimeUnit.SECONDS)).isTrue();
    return said;
  }

  private static void permit(Path path, String permissions) throws IOException {
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(permissions));
  }
}

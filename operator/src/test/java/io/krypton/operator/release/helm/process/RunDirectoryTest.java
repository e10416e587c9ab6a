// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.operator.release.helm.process.HelmFiles.OperationFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunDirectoryTest {
  @TempDir Path parent;

  @Test
  void nobody_else_can_read_it() throws IOException {
    var data = parent.resolve("data");
    try (var run = RunDirectory.open(data)) {
      var files = new OperationFiles(run.newDirectory());
      var file = files.write("kubeconfig", "token: hunter2");
      assertThat(permissions(data)).isEqualTo("rwx------");
      assertThat(permissions(files.directory())).isEqualTo("rwx------");
      assertThat(permissions(file)).isEqualTo("rw-------");
      files.close();
      assertThat(files.directory()).doesNotExist();
    }
    assertThat(data.resolve("helm")).isDirectoryNotContaining(Files::isDirectory);
  }

  @Test
  void a_directory_that_others_could_read_is_closed_to_them() throws IOException {
    var data = Files.createDirectory(parent.resolve("data"));
    Files.setPosixFilePermissions(data, PosixFilePermissions.fromString("rwxrwxrwx"));
    RunDirectory.open(data).close();
    assertThat(permissions(data)).isEqualTo("rwx------");
  }

  @Test
  void a_link_in_its_place_is_refused() throws IOException {
    var elsewhere = Files.createDirectory(parent.resolve("elsewhere"));
    var data = Files.createSymbolicLink(parent.resolve("data"), elsewhere);
    assertThatThrownBy(() -> RunDirectory.open(data)).hasMessageContaining("is not a directory");
  }

  @Test
  void files_of_a_run_that_died_are_removed() throws IOException {
    var data = parent.resolve("data");
    RunDirectory.open(data).close();
    var dead = Files.createDirectories(data.resolve("helm/99-1-x/op"));
    Files.writeString(dead.resolve("kubeconfig"), "token: hunter2");
    Files.createFile(dead.resolveSibling("lock"));
    try (var run = RunDirectory.open(data)) {
      assertThat(run.deadInstances()).containsExactly("99-1-x");
      assertThat(run.instance()).matches("[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?");
    }
    assertThat(dead.getParent()).doesNotExist();
  }

  @Test
  void files_of_a_run_that_lives_are_kept_until_it_dies() throws IOException {
    var data = parent.resolve("data");
    var other =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                RunDirectoryMain.class.getName(),
                data.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    try (var said = other.inputReader()) {
      var living = Path.of(said.readLine());
      RunDirectory.open(data).close();
      assertThat(living.resolve("kubeconfig")).exists();
      other.destroyForcibly().onExit().join();
      RunDirectory.open(data).close();
      assertThat(living).doesNotExist();
    } finally {
      other.destroyForcibly();
    }
  }

  @Test
  void a_process_that_still_uses_such_files_is_ended_with_them() throws IOException {
    var data = parent.resolve("data");
    RunDirectory.open(data).close();
    var dead = Files.createDirectories(data.resolve("helm/99-1-x/op"));
    var orphan =
        ChildProcess.start(
            List.of("/bin/sh", "-c", "sleep 1000", "helm", dead.resolve("kubeconfig").toString()),
            Map.of("PATH", "/usr/bin:/bin"),
            parent);
    RunDirectory.open(data).close();
    assertThat(orphan.await(java.time.Duration.ofSeconds(20)).endReason())
        .isEqualTo(ChildProcess.EndReason.EXITED);
    assertThat(dead).doesNotExist();
  }

  @Test
  void a_process_that_works_in_such_a_directory_is_ended_with_it() throws IOException {
    var data = parent.resolve("data");
    RunDirectory.open(data).close();
    var dead = Files.createDirectories(data.resolve("helm/99-1-x/worker"));
    var orphan =
        ChildProcess.start(
            List.of("/bin/sh", "-c", "sleep 1000"), Map.of("PATH", "/usr/bin:/bin"), dead);
    RunDirectory.open(data).close();
    assertThat(orphan.await(java.time.Duration.ofSeconds(20)).endReason())
        .isEqualTo(ChildProcess.EndReason.EXITED);
    assertThat(dead).doesNotExist();
  }

  @Test
  void a_run_that_ended_while_it_held_locks_is_known_to_the_next() throws IOException {
    var data = parent.resolve("data");
    String instance;
    try (var files = new HelmFiles(data)) {
      instance = files.instance();
      files.newFiles().write("kubeconfig", "token: hunter2");
      files.rememberThisRun();
    }
    assertThat(data.resolve("helm").resolve(instance)).isDirectoryNotContaining("glob:**/k*");
    try (var next = new HelmFiles(data)) {
      assertThat(next.hasEnded(instance)).isTrue();
      assertThat(data.resolve("helm").resolve(instance)).doesNotExist();
    }
    try (var third = new HelmFiles(data)) {
      assertThat(third.hasEnded(instance)).isFalse();
    }
  }

  private static String permissions(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }
}

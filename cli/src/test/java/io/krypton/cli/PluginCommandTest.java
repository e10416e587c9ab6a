// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.plugin.KeyFile;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PluginCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      value = {
        "plugin | krypton plugin: a command is missing",
        "plugin serve | krypton plugin serve: Missing required options",
        "plugin serve --socket=/a --key-file=k | --socket \"/a\": no scheme, write unix:///<absolute path>",
        "plugin serve --socket=unix://a/b --key-file=k | --socket \"unix://a/b\": \"a\" is read as a host",
        "plugin serve --socket=tcp:///a --key-file=k | unsupported scheme \"tcp\"",
        "plugin serve --socket=unix:///a --key-file=k --socket-mode=abc | 'abc' is not a mode",
        "plugin serve --socket=unix:///a --key-file=k --socket-mode=0066 | '0066' locks out the owner",
        "plugin serve --socket=unix:///a --key-file=k --api-version=v1 | must be one of v2, v2beta1",
        "plugin rotate | Missing required option: '--key-file=<file>'",
        "plugin rotate --key-file=k --force | --force only goes with --retire",
        "plugin rotate --key-file=k --retire=k1 | add --force to do it",
        "plugin fault --fault-file=f | Missing required parameter: '<mode>'",
        "plugin fault --fault-file=f dwon | there is no mode \"dwon\"",
        "plugin fault --fault-file=f slow=soon | there is no mode \"slow=soon\"",
      })
  void a_mistake_is_told_in_one_line_and_ends_with_2(String arguments, String text) {
    assertThat(run(arguments.split(" "))).isEqualTo(2);
    assertThat(err.toString()).startsWith("krypton plugin").contains(text);
    assertThat(err.toString().lines().count()).isLessThanOrEqualTo(2);
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void rotate_names_the_new_key_and_retire_removes_an_old_one() throws IOException {
    var file = directory.resolve("keys.json");
    new KeyFile(file).createIfMissing();
    var first = new KeyFile(file).currentId();

    assertThat(run("plugin", "rotate", "--key-file=" + file)).isZero();
    assertThat(out.toString())
        .isEqualTo("current key: %s\n".formatted(new KeyFile(file).currentId()));
    assertThat(run("plugin", "rotate", "--key-file=" + file, "--retire=" + first, "--force"))
        .isZero();
    assertThat(new KeyFile(file).ids()).doesNotContain(first).hasSize(1);
    assertThat(mode(file)).isEqualTo("rw-------");
  }

  @Test
  void keys_that_others_may_read_are_refused() throws IOException {
    var file = directory.resolve("keys.json");
    new KeyFile(file).createIfMissing();
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-r-----"));

    assertThat(run("plugin", "rotate", "--key-file=" + file)).isEqualTo(1);
    assertThat(err.toString()).contains(file + ": mode is rw-r-----, run: chmod 600");
  }

  @Test
  void files_that_are_missing_are_named() {
    var nowhere = directory.resolve("none/file");
    assertThat(run("plugin", "rotate", "--key-file=" + nowhere)).isEqualTo(1);
    assertThat(run("plugin", "fault", "--fault-file=" + nowhere, "none")).isEqualTo(1);
    assertThat(err.toString())
        .contains(nowhere + ": no such key file", nowhere + ": its directory does not exist");
  }

  @Test
  void help_lists_the_modes() {
    assertThat(run("plugin", "fault", "--help")).isZero();
    assertThat(out.toString()).contains("wrong-key", "keyid=empty|long", "slow=<duration>");
  }

  private int run(String... arguments) {
    return Main.commandLine()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }

  private static String mode(Path file) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.reporter.config.ReporterFlag;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ReporterCommandTest {
  @TempDir Path directory;
  private final StringWriter out = new StringWriter();
  private final StringWriter err = new StringWriter();

  @Test
  void bad_settings_are_printed_line_by_line_and_exit_with_2() {
    assertThat(run("--interval", "0s", "--node-name", "N", "--kms-sockets", "")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "--kms-sockets is required, at least one",
            "--node-name \"N\" must be a lowercase RFC 1123 subdomain of at most 253 characters",
            "--interval \"0s\" must be positive");
    assertThat(out.toString()).isEmpty();
  }

  @Test
  void an_unknown_flag_exits_with_2() {
    assertThat(run("--intervall", "1s")).isEqualTo(2);
    assertThat(err.toString()).contains("--intervall");
  }

  @Test
  void the_file_is_read_and_its_errors_are_printed() throws IOException {
    var file = Files.writeString(directory.resolve("c.yaml"), "interval: soon\nnode-name: n\n");
    assertThat(run("--config", file.toString(), "--kms-sockets", "1=unix:///a")).isEqualTo(2);
    assertThat(err.toString().lines())
        .containsExactly(
            "--interval \"soon\" is not a duration, write for example 30s (from --config \"%s\")"
                .formatted(file));
  }

  @Test
  void help_names_every_flag_with_its_default() {
    assertThat(run("--help")).isZero();
    for (var flag : ReporterFlag.values()) {
      assertThat(out.toString()).contains(flag.setting().flag());
    }
    assertThat(out.toString()).contains("Default: 30s").contains("127.0.0.1:9811");
  }

  private int run(String... arguments) {
    return ReporterCommand.create()
        .setOut(new PrintWriter(out, true))
        .setErr(new PrintWriter(err, true))
        .execute(arguments);
  }
}

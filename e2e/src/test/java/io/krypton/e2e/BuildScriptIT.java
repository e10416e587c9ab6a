// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code tools/build} with a Maven that only prints. */
class BuildScriptIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @TempDir Path temp;
  private Path tools;

  @BeforeEach
  void a_copy_of_the_scripts() throws IOException {
    tools = Files.createDirectory(temp.resolve("tools"));
    for (var file : List.of("build", "progress")) {
      Files.copy(
          Shell.ROOT.resolve("tools").resolve(file),
          tools.resolve(file),
          StandardCopyOption.COPY_ATTRIBUTES);
    }
  }

  private Shell.Result build(String maven) throws Exception {
    var script = tools.resolve("maven");
    Files.writeString(script, "#!/usr/bin/env bash\n" + maven);
    Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
    return new Shell(temp).run(LIMIT, tools.resolve("build").toString(), "package");
  }

  @Test
  void a_build_that_works_says_how_many_modules_and_how_long() throws Exception {
    var answer =
        build(
            """
            echo "[INFO] Building Krypton :: base 0.1.0-SNAPSHOT                 [1/2]"
            echo "[WARNING] something is deprecated"
            echo "[INFO] Building Krypton :: cli 0.1.0-SNAPSHOT                  [2/2]"
            """);

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(answer.out()).isEmpty();
    assertThat(answer.err()).matches("built 2/2 modules in \\d+ s\n");
  }

  @Test
  void a_build_that_fails_shows_every_line_of_its_warnings_and_errors() throws Exception {
    var answer =
        build(
            """
            echo "[INFO] Building Krypton :: base 0.1.0-SNAPSHOT                 [1/2]"
            echo "[WARNING] Foo.java:[2,1] [try] explicit call to close()"
            echo "[ERROR] Foo.java:[3,1] cannot find symbol"
            echo "  symbol: class Bar"
            echo "[INFO] BUILD FAILURE"
            echo "  of one module"
            echo "[ERROR] Re-run Maven with -e" >&2
            exit 1
            """);

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err().lines().toList())
        .startsWith(
            "[WARNING] Foo.java:[2,1] [try] explicit call to close()",
            "[ERROR] Foo.java:[3,1] cannot find symbol",
            "  symbol: class Bar",
            "[ERROR] Re-run Maven with -e")
        .hasSize(5)
        .last()
        .asString()
        .matches("build: failed after \\d+ s; the whole log is target/build.log");
  }

  @Test
  void what_ends_before_maven_starts_is_shown_too() throws Exception {
    var answer = build("echo 'maven: none is installed' >&2; exit 1");

    assertThat(answer.exit()).isEqualTo(1);
    assertThat(answer.err()).startsWith("maven: none is installed\n");
  }

  @Test
  void a_pipe_sees_lines_with_the_count_while_it_runs() throws Exception {
    // It ends when the line is there, however slow the machine is.
    var answer =
        new Shell(tools)
            .run(
                LIMIT,
                "bash",
                "-c",
                """
                . ./progress
                count() { echo 1/2 modules; }
                until_told() { until [ -s told ]; do sleep 0.1; done; }
                with_progress building log count until_told 2>told
                """);

    assertThat(answer.exit()).as(answer.err()).isZero();
    assertThat(Files.readString(tools.resolve("told")))
        .matches("building: 1/2 modules, \\d+ s\n")
        .doesNotContain("\r", "\033");
  }
}

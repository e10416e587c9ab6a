// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertAll;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;

/** Who mistypes gets one line with the remedy, as docs/cli.md promises, row by row. */
@ExtendWith(ControlPlaneExtension.class)
class BadUsageIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Pattern ROW =
      Pattern.compile("\\| `(krypton [^`]+)` \\| (\\d) \\| `(.+)` \\|");

  @TempDir Path directory;

  /**
   * One row of the table.
   *
   * @param says with {@code …} for what differs
   */
  record Row(String typed, int exit, String says) {
    Pattern line() {
      return Pattern.compile(
          Arrays.stream(says.split("…", -1)).map(Pattern::quote).collect(Collectors.joining(".*")));
    }
  }

  @Test
  void every_row_of_the_table_is_true(@Cluster("bare") ControlPlane bare) throws Exception {
    var kubeconfig = bare.adminKubeconfig();
    Files.writeString(directory.resolve("bare.kubeconfig"), kubeconfig);
    Files.writeString(
        directory.resolve("dead.kubeconfig"),
        kubeconfig.replace(bare.url().toString(), "https://127.0.0.1:1"));

    var rows = rows();

    assertThat(rows).hasSizeGreaterThan(10);
    assertAll(rows.stream().map(row -> (Executable) () -> check(row)));
  }

  private static List<Row> rows() {
    return ROW.matcher(DocPages.text(Shell.ROOT, "docs/cli.md"))
        .results()
        .map(found -> new Row(found.group(1), Integer.parseInt(found.group(2)), found.group(3)))
        .toList();
  }

  private void check(Row row) throws Exception {
    var answer =
        new Shell(directory)
            .without("KUBECONFIG")
            .with("KRYPTON_DATA_DIR", directory.resolve("data").toString())
            .run(LIMIT, row.typed().replaceFirst("^krypton", Shell.KRYPTON.toString()).split(" "));

    assertThat(answer.exit()).as("%s%n%s", row.typed(), answer.err()).isEqualTo(row.exit());
    assertThat(answer.err()).as(row.typed()).doesNotContain("\tat ", "Exception");
    var lines = answer.err().lines().filter(line -> !line.matches("Try '.* --help'\\.")).toList();
    assertThat(lines).as(row.typed()).singleElement().asString().matches(row.line());
  }
}

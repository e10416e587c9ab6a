// SPDX-License-Identifier: Apache-2.0
package io.krypton.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Following one thing through the code takes as many files as {@code docs/architecture.md} says.
 */
class WalksTest {
  private static final Path SCRIPT = Path.of("../tools/walks");

  /** By walk, in their order. A number may go down. */
  private static final List<Integer> MOST_FILES = List.of(57, 55, 45);

  private static final Pattern ROW = Pattern.compile("^\\|.*\\| (\\d+) \\| \\d+ \\|$");

  @TempDir Path tree;

  @Test
  void the_page_says_how_long_the_walks_are() throws Exception {
    var page = Files.readString(Path.of("../docs/architecture.md"));
    var counted = run(SCRIPT);

    assertThat(counted.exit()).as(counted.errors()).isZero();
    assertThat(page)
        .as("tools/walks write mends it")
        .contains("<!-- walks -->\n" + counted.output() + "<!-- /walks -->");
  }

  @Test
  void no_walk_is_longer_than_it_was() throws Exception {
    var files =
        run(SCRIPT)
            .output()
            .lines()
            .map(ROW::matcher)
            .filter(row -> row.matches())
            .map(row -> Integer.valueOf(row.group(1)))
            .toList();

    assertThat(files).hasSameSizeAs(MOST_FILES);
    for (var i = 0; i < files.size(); i++) {
      assertThat(files.get(i)).as("files of walk %d", i + 1).isLessThanOrEqualTo(MOST_FILES.get(i));
    }
  }

  @Test
  void a_port_counts_with_its_implementation_and_nothing_twice() throws Exception {
    source(
        "a/Start", "class Start { void go() { port.run(); value.of(); } Port port; Value value; }");
    source("a/Port", "interface Port { void run(); }");
    source("b/Runner", "class Runner implements Port { public void run() {} Value value; }");
    source("b/Value", "record Value() {}");
    walk("Start#go", "  Port -> Runner#run", "    Value", "  Value");

    assertThat(run(copy()).output()).endsWith("| A walk | 4 | 1 |\n");
  }

  @Test
  void a_step_that_is_not_there_is_named() throws Exception {
    source("a/Start", "class Start { void go() {} }");
    source("b/Runner", "class Runner { public void run() {} }");
    walk("Start#stop", "  Runner#run", "  Nobody#home");

    var counted = run(copy());

    assertThat(counted.exit()).isNotZero();
    assertThat(counted.errors())
        .contains("Start has no method stop")
        .contains("Start does not name Runner")
        .contains("no file of main code is called Nobody.java");
  }

  private void source(String type, String text) throws IOException {
    write("module/src/main/java/" + type + ".java", text);
  }

  private void walk(String... steps) throws IOException {
    write("docs/walks/walk.txt", "# A walk\n" + String.join("\n", steps) + "\n");
  }

  private void write(String file, String text) throws IOException {
    var path = tree.resolve(file);
    Files.createDirectories(path.getParent());
    Files.writeString(path, text);
  }

  private Path copy() throws IOException {
    var copied = Files.createDirectories(tree.resolve("tools")).resolve("walks");
    return Files.copy(SCRIPT, copied);
  }

  private record Counted(int exit, String output, String errors) {}

  private Counted run(Path script) throws IOException, InterruptedException {
    var errors = tree.resolve("errors");
    var process =
        new ProcessBuilder("bash", script.toString()).redirectError(errors.toFile()).start();
    var output = new String(process.getInputStream().readAllBytes(), UTF_8);
    return new Counted(process.waitFor(), output, Files.readString(errors));
  }
}

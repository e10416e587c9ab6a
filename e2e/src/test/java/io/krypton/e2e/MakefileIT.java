// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class MakefileIT {
  @Test
  void make_alone_lists_every_target_in_one_line_each() throws Exception {
    // This test may itself run under make, which would tell the inner one that it is a child.
    var shell = new Shell(Shell.ROOT).without("MAKEFLAGS").without("MAKELEVEL");

    var help = shell.run(Duration.ofSeconds(30), "make");

    assertThat(help.exit()).as(help.err()).isZero();
    var names = help.out().lines().map(line -> line.strip().split("\\s+")[0]).toList();
    assertThat(names)
        .containsAll(
            List.of(
                "demo",
                "build",
                "run",
                "run-pid",
                "stop",
                "e2e",
                "test",
                "test-busy",
                "unit",
                "it",
                "fmt",
                "lint",
                "tools",
                "clean"));
    var phony =
        Files.readAllLines(Shell.ROOT.resolve("Makefile")).stream()
            .filter(line -> line.startsWith(".PHONY: "))
            .map(line -> line.substring(".PHONY: ".length()))
            .toList();
    assertThat(names).containsExactlyElementsOf(phony);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The pages people read, and what of them is run. */
final class DocPages {
  /** In the order of their execution: a later page may use what an earlier one has made. */
  static final List<String> RUN =
      List.of(
          "docs/getting-started.md",
          "docs/install.md",
          "README.md",
          "examples/README.md",
          "docs/cli.md",
          "docs/kms-plugin.md",
          "examples/kms-reporter/README.md",
          "examples/kms-aggregator/README.md",
          "examples/kms-gate/README.md",
          "docs/troubleshooting.md");

  /** Commands that this test cannot run, and why. All others are run. */
  static final Map<String, String> NOT_RUN =
      Map.of(
          "make demo", "builds dist/ anew, which this test runs from; DemoIT runs what it starts",
          "make build", "builds dist/ anew, which this test runs from; every build does the same",
          "make test", "would run this test");

  /** Languages of blocks that hold no commands. */
  static final List<String> NO_COMMANDS = List.of("yaml", "json", "text", "mermaid");

  private DocPages() {}

  /** All pages of the tree except generated ones and records of decisions. */
  static List<String> all(Path root) {
    try (var files = Files.walk(root, 4)) {
      return files
          .map(file -> root.relativize(file).toString())
          .filter(
              file ->
                  file.matches(
                      "(README|CONTRIBUTING)\\.md|docs/[^/]+\\.md|examples/([^/]+/)?README\\.md"))
          .sorted()
          .toList();
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static String text(Path root, String page) {
    try {
      return Files.readString(root.resolve(page));
    } catch (IOException unreadable) {
      throw new UncheckedIOException(unreadable);
    }
  }

  static List<DocBlock> blocks(Path root, String page) {
    return DocBlock.of(page, text(root, page));
  }

  static boolean isListed(DocBlock block) {
    return NOT_RUN.keySet().containsAll(block.commands());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Somebody reads the documentation from one end to the other, and types all of it. */
@Order(1)
class DocsIT {
  private static final String CHART = "echo-server";
  private static final String CHART_VERSION = "0.5.0";

  @TempDir Path anywhere;

  @Test
  void every_command_of_every_page_works() throws Exception {
    var blocks = new ArrayList<DocBlock>();
    for (var page : DocPages.RUN) {
      DocPages.blocks(Shell.ROOT, page).stream()
          .filter(DocBlock::isShell)
          .filter(Predicate.not(DocPages::isListed))
          .forEach(blocks::add);
    }
    var clone = Files.createDirectory(anywhere.resolve("krypton"));
    try (var charts = publicCharts();
        var reader = new DocReader(clone, charts.url())) {
      reader.provide("/etc/kubernetes/enc/config.yaml", encryptionConfiguration());
      try {
        follow(reader, blocks, block -> !block.is("last"));
      } finally {
        follow(reader, blocks, block -> block.is("last"));
      }
    }
  }

  private static void follow(DocReader reader, List<DocBlock> blocks, Predicate<DocBlock> which)
      throws IOException, InterruptedException {
    for (var block : blocks) {
      if (which.test(block)) {
        reader.follow(block);
      }
    }
  }

  /** The one that the page about the plugin shows. */
  private static DocBlock encryptionConfiguration() {
    return DocPages.blocks(Shell.ROOT, "docs/kms-plugin.md").stream()
        .filter(block -> block.language().equals("yaml"))
        .findFirst()
        .orElseThrow();
  }

  /** The chart that the pages speak of, as far as a sandbox without a kubelet can run it. */
  private ChartRepo publicCharts() throws IOException, InterruptedException {
    var source = Files.createDirectory(anywhere.resolve("source"));
    Files.createDirectory(source.resolve("templates"));
    var demo = Shell.ROOT.resolve("dist/share/demo-chart");
    Files.copy(demo.resolve("values.yaml"), source.resolve("values.yaml"));
    Files.copy(
        demo.resolve("templates/objects.yaml"),
        source.resolve("templates").resolve("objects.yaml"));
    Files.writeString(
        source.resolve("Chart.yaml"),
        "apiVersion: v2\nname: %s\nversion: %s\n".formatted(CHART, CHART_VERSION));
    return new ChartRepo(Files.createDirectory(anywhere.resolve("repo"))).withPacked(source);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import io.krypton.operator.release.chart.PackedChart;
import io.krypton.operator.release.helm.HelmOperation.ChartArchive;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;

/** The charts under {@code src/test/resources/charts}, packed as a rollout gets them. */
public final class TestCharts {
  public static final Path CONFIGMAP = packed("configmap");
  public static final Path WORKLOAD = packed("workload");

  /** A custom resource definition and a ClusterRole among its templates. */
  public static final Path DEFINITIONS = packed("definitions");

  /** Its hook never ends, so an install or upgrade of it hangs. */
  public static final Path HOOK = packed("hook");

  /** Cannot be rendered. */
  public static final Path BROKEN = packed("broken");

  private TestCharts() {}

  /** As it lies in the tree. */
  public static Path directory(String name) {
    return Path.of("src/test/resources/charts", name).toAbsolutePath();
  }

  /** An archive of it, named by its content. */
  public static Path packed(String name) {
    return pack(directory(name), Path.of("target/test-charts").toAbsolutePath());
  }

  /** An archive of the chart in a directory, named by its content. */
  public static Path pack(Path chart, Path into) {
    var bytes = PackedChart.ofDirectory(chart);
    try {
      Files.createDirectories(into);
      var archive = into.resolve(PackedChart.sha256(bytes) + ".tgz");
      var fresh = Files.write(Files.createTempFile(into, "chart", ".new"), bytes);
      return Files.move(fresh, archive, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** With its digest, if it is an archive that is there. */
  public static ChartArchive archive(Path chart) {
    try {
      return new ChartArchive(
          chart,
          Files.isRegularFile(chart) ? PackedChart.sha256(Files.readAllBytes(chart)) : "none");
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

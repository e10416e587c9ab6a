// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.helm.ChartTool;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** Charts from this machine, copied so that a later edit changes no running rollout. */
final class LocalChartFetcher {
  private final ChartTool tool;

  LocalChartFetcher(ChartTool tool) {
    this.tool = tool;
  }

  Path fetch(Path path, ChartRef chart, Path work) throws ChartLoadException, IOException {
    if (Files.isRegularFile(path)) {
      return copy(path, work);
    }
    if (!Files.isDirectory(path)) {
      throw ChartLoadException.notLoaded(path + " does not exist");
    }
    if (isChart(path)) {
      return pack(path, work);
    }
    var index = path.resolve("index.yaml");
    if (Files.isRegularFile(index)) {
      return fromIndex(path, index, chart, work);
    }
    if (isChart(path.resolve(chart.name()))) {
      return pack(path.resolve(chart.name()), work);
    }
    var archive = path.resolve(chart.name() + "-" + chart.version() + ".tgz");
    if (Files.isRegularFile(archive)) {
      return copy(archive, work);
    }
    throw ChartLoadException.notFound(
        "%s has neither index.yaml nor %s/ nor %s"
            .formatted(path, chart.name(), archive.getFileName()));
  }

  private static Path fromIndex(Path directory, Path index, ChartRef chart, Path work)
      throws ChartLoadException, IOException {
    var entry = IndexRepoFetcher.entry(index, index, chart);
    var url = entry.urls().isEmpty() ? "" : entry.urls().getFirst();
    var archive = directory.resolve(url).normalize();
    if (!archive.startsWith(directory.normalize()) || !Files.isRegularFile(archive)) {
      throw ChartLoadException.notLoaded(
          "%s names '%s', which is no file beside it".formatted(index, url));
    }
    var copy = copy(archive, work);
    IndexRepoFetcher.verify(archive, entry, copy);
    return copy;
  }

  private Path pack(Path directory, Path work) throws ChartLoadException {
    return switch (tool.pack(directory.toAbsolutePath(), work)) {
      case ChartTool.Result.Fetched(var archive) -> archive;
      case ChartTool.Result.NotFound() ->
          throw ChartLoadException.notLoaded(directory + " is no chart");
      case ChartTool.Result.Unusable(var reason) ->
          throw new ChartLoadException(new ChartResult.ToolUnusable(reason));
      case ChartTool.Result.Failed(var message) ->
          throw ChartLoadException.notLoaded(directory + ": " + message);
    };
  }

  private static boolean isChart(Path directory) {
    return Files.isRegularFile(directory.resolve("Chart.yaml"));
  }

  private static Path copy(Path archive, Path work) throws IOException {
    return Files.copy(archive, work.resolve("chart.tgz"));
  }
}

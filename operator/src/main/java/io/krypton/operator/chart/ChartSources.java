package io.krypton.operator.chart;

import io.krypton.operator.chart.ChartSource.IndexRepo;
import io.krypton.operator.chart.ChartSource.LocalPath;
import io.krypton.operator.chart.ChartSource.OciRepo;
import io.krypton.operator.helm.ChartTool;
import io.krypton.operator.helm.PrivateDirectory;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** Loads charts from wherever flags point to, verifies them and keeps them by content. */
public final class ChartSources implements ChartLoader, AutoCloseable {
  private final ChartCache cache;
  private final HttpDownload http;
  private final ChartTool tool;

  /** {@code limit}: how long one download may take. */
  public ChartSources(Path dataDir, ChartTool tool, Duration limit) {
    this.cache = new ChartCache(dataDir);
    this.http = new HttpDownload(limit);
    this.tool = tool;
  }

  @Override
  public ChartResult load(ChartRef chart) {
    try {
      var work = cache.newWorkDirectory();
      try {
        var archive = fetch(chart, work);
        var content = ChartArchive.read(archive);
        requireVersion(chart, content);
        var sha256 = ChartCache.sha256(archive);
        return new ChartResult.Loaded(
            cache.keep(archive, sha256), sha256, content.version(), content.valueKeys());
      } finally {
        PrivateDirectory.delete(work);
      }
    } catch (LoadFailure e) {
      return e.result();
    } catch (IOException e) {
      return new ChartResult.NotLoaded("cannot keep the chart: " + e);
    }
  }

  private Path fetch(ChartRef chart, Path work) throws LoadFailure, IOException {
    return switch (chart.source()) {
      case IndexRepo(var uri) -> new IndexRepoCharts(http).fetch(uri, chart, work);
      case LocalPath(var path) -> new LocalCharts(tool).fetch(path, chart, work);
      case OciRepo(var reference) -> pull(reference + "/" + chart.name(), chart.version(), work);
    };
  }

  private Path pull(String reference, String version, Path work) throws LoadFailure {
    return switch (tool.pull(reference, version, work)) {
      case ChartTool.Result.Fetched(var archive) -> archive;
      case ChartTool.Result.NotFound() ->
          throw LoadFailure.notFound(
              reference + " has no " + (version.isEmpty() ? "stable version" : "tag " + version));
      case ChartTool.Result.Failed(var message) ->
          throw LoadFailure.notLoaded(reference + ": " + message);
    };
  }

  private static void requireVersion(ChartRef chart, ChartArchive content) throws LoadFailure {
    if (!chart.version().isEmpty() && !ChartVersion.same(chart.version(), content.version())) {
      throw LoadFailure.notFound(
          "%s holds version %s of chart %s, not %s"
              .formatted(chart.repo(), content.version(), chart.name(), chart.version()));
    }
  }

  @Override
  public void close() {
    http.close();
  }
}

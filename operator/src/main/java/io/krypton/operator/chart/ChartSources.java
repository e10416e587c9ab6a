package io.krypton.operator.chart;

import io.krypton.operator.chart.ChartSource.IndexRepo;
import io.krypton.operator.chart.ChartSource.LocalPath;
import io.krypton.operator.chart.ChartSource.OciRepo;
import io.krypton.operator.helm.ChartTool;
import io.krypton.operator.helm.PrivateDirectory;
import io.krypton.operator.helm.RepoAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;

/** Loads charts from wherever flags point to, verifies them and keeps them by content. */
public final class ChartSources implements ChartLoader, AutoCloseable {
  private final ChartCache cache;
  private final ChartTool tool;
  private final Duration limit;
  private final RepoCredentials credentials;
  private final Map<String, String> environment;

  /** Of public repositories, reached without a proxy. */
  public ChartSources(Path dataDir, ChartTool tool, Duration limit) {
    this(dataDir, tool, limit, RepoCredentials.NONE, Map.of());
  }

  /**
   * Of any repository.
   *
   * @param limit how long one download may take
   * @param environment of this process: proxies and authorities
   */
  public ChartSources(
      Path dataDir,
      ChartTool tool,
      Duration limit,
      RepoCredentials credentials,
      Map<String, String> environment) {
    this.cache = new ChartCache(dataDir);
    this.tool = tool;
    this.limit = limit;
    this.credentials = credentials;
    this.environment = Map.copyOf(environment);
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
      case IndexRepo(var uri) -> {
        try (var http = new HttpDownload(limit, uri, access(), environment)) {
          yield new IndexRepoCharts(http).fetch(uri, chart, work);
        }
      }
      case LocalPath(var path) -> new LocalCharts(tool).fetch(path, chart, work);
      case OciRepo(var reference) -> pull(reference + "/" + chart.name(), chart.version(), work);
    };
  }

  private RepoAccess access() throws LoadFailure {
    try {
      return credentials.read();
    } catch (IOException unreadable) {
      throw LoadFailure.notLoaded(String.valueOf(unreadable.getMessage()));
    }
  }

  private Path pull(String reference, String version, Path work) throws LoadFailure {
    return switch (tool.pull(reference, version, access(), work)) {
      case ChartTool.Result.Fetched(var archive) -> archive;
      case ChartTool.Result.NotFound() ->
          throw LoadFailure.notFound(
              reference + " has no " + (version.isEmpty() ? "stable version" : "tag " + version));
      case ChartTool.Result.Unusable(var reason) ->
          throw new LoadFailure(new ChartResult.ToolUnusable(reason));
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
    cache.close();
  }
}

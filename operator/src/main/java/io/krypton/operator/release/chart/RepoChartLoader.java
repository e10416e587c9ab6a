// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.base.crypto.Sha256;
import io.krypton.operator.release.chart.ChartRef.ChartSource.IndexRepo;
import io.krypton.operator.release.chart.ChartRef.ChartSource.LocalPath;
import io.krypton.operator.release.chart.ChartRef.ChartSource.OciRepo;
import io.krypton.operator.release.chart.ChartStore.ChartLoader;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.process.PrivateDirectory;
import io.krypton.operator.release.values.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Loads charts from wherever flags point to, verifies them and keeps them by content. */
public final class RepoChartLoader implements ChartLoader, AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(RepoChartLoader.class);

  private final ChartCache cache;
  private final ChartTool tool;
  private final Duration limit;
  private final Function<ChartRef, RepoCredentials> credentials;
  private final Map<String, String> environment;

  /** Of public repositories, reached without a proxy. */
  public RepoChartLoader(Path dataDir, ChartTool tool, Duration limit) {
    this(dataDir, tool, limit, chart -> RepoCredentials.NONE, Map.of());
  }

  /**
   * Of any repository.
   *
   * @param limit how long one download may take
   * @param credentials of the repository of a chart
   * @param environment of this process: proxies and authorities
   */
  public RepoChartLoader(
      Path dataDir,
      ChartTool tool,
      Duration limit,
      Function<ChartRef, RepoCredentials> credentials,
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
        var content = ChartMetadata.read(archive);
        requireVersion(chart, content);
        var sha256 = ChartCache.sha256(archive);
        return new ChartResult.Loaded(
            cache.store(archive, sha256),
            sha256,
            content.version(),
            content.valueKeys(),
            content.digest());
      } finally {
        PrivateDirectory.delete(work);
      }
    } catch (ChartLoadException e) {
      return e.result();
    } catch (IOException e) {
      return new ChartResult.NotLoaded("cannot keep the chart: " + e);
    }
  }

  private Path fetch(ChartRef chart, Path work) throws ChartLoadException, IOException {
    return switch (chart.source()) {
      case IndexRepo(var uri) -> {
        try (var http = new HttpDownloader(limit, uri, access(chart), environment)) {
          yield new IndexRepoFetcher(http).fetch(uri, chart, work);
        }
      }
      case LocalPath(var path) -> new LocalChartFetcher(tool).fetch(path, chart, work);
      case OciRepo(var reference) ->
          pull(reference + "/" + chart.name(), chart.version(), access(chart), work);
    };
  }

  private RepoAccess access(ChartRef chart) throws ChartLoadException {
    try {
      return credentials.apply(chart).read();
    } catch (IOException unreadable) {
      throw ChartLoadException.notLoaded(String.valueOf(unreadable.getMessage()));
    }
  }

  private Path pull(String reference, String version, RepoAccess access, Path work)
      throws ChartLoadException {
    return switch (tool.pull(reference, version, access, work)) {
      case ChartTool.Result.Fetched(var archive) -> archive;
      case ChartTool.Result.NotFound() ->
          throw ChartLoadException.notFound(
              reference + " has no " + (version.isEmpty() ? "stable version" : "tag " + version));
      case ChartTool.Result.Unusable(var reason) ->
          throw new ChartLoadException(new ChartResult.ToolUnusable(reason));
      case ChartTool.Result.Failed(var message) ->
          throw ChartLoadException.notLoaded(reference + ": " + message);
    };
  }

  private static void requireVersion(ChartRef chart, ChartMetadata content)
      throws ChartLoadException {
    if (!chart.version().isEmpty() && !ChartVersion.isSame(chart.version(), content.version())) {
      throw ChartLoadException.notFound(
          "%s holds version %s of chart %s, not %s"
              .formatted(chart.repo(), content.version(), chart.name(), chart.version()));
    }
  }

  @Override
  public void discard(ChartResult.Loaded chart) {
    try {
      Files.deleteIfExists(chart.archive());
    } catch (IOException busy) {
      log.atDebug().setCause(busy).log("a chart that nobody needs stays until the end");
    }
  }

  @Override
  public void close() {
    cache.close();
  }

  /** What a packed chart says about itself. */
  record ChartMetadata(String version, Set<String> valueKeys, String digest) {

    static ChartMetadata read(Path archive) throws ChartLoadException {
      try (var tar = new TarReader(Files.newInputStream(archive))) {
        var version = "";
        var keys = new HashSet<String>();
        var files = new TreeMap<String, String>();
        for (var file = tar.next(); file.isPresent(); file = tar.next()) {
          var path = file.get();
          if (isAtTop(path, "Chart.yaml")) {
            var content = tar.content();
            version = String.valueOf(map(path, content).get("version"));
            files.put(path, Sha256.hex(content));
          } else if (isAtTop(path, "values.yaml")) {
            var content = tar.content();
            map(path, content).keySet().forEach(key -> keys.add((String) key));
            files.put(path, Sha256.hex(content));
          } else {
            files.put(path, tar.sha256());
          }
        }
        if (!ChartVersion.isExact(version)) {
          throw ChartLoadException.notLoaded(
              "bad archive: no Chart.yaml with an exact version in it");
        }
        return new ChartMetadata(version, keys, digestOf(files));
      } catch (IOException e) {
        throw ChartLoadException.notLoaded("bad archive: " + e.getMessage());
      }
    }

    private static String digestOf(SortedMap<String, String> files) {
      var digest = new Sha256();
      files.forEach((path, content) -> digest.add(path).add((byte) 0).add(content));
      return digest.hex();
    }

    private static boolean isAtTop(String path, String file) {
      var slash = path.indexOf('/');
      return slash > 0 && path.substring(slash + 1).equals(file);
    }

    private static Map<?, ?> map(String path, String content) throws ChartLoadException {
      return switch (Yaml.read(content, Yaml.RepeatedKey.LAST_WINS)) {
        case Yaml.Malformed(var message) ->
            throw ChartLoadException.notLoaded("bad archive: " + path + ": " + message);
        case Yaml.Documents documents ->
            Yaml.first(documents) instanceof Map<?, ?> map ? map : Map.of();
      };
    }
  }
}

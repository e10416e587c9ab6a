// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import io.krypton.operator.release.chart.ChartResult.DigestMismatch;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.NoSuchElementException;

/** Charts from a repository with an index, or from one that only has the files. */
final class IndexRepoFetcher {
  static final long LARGEST_ARCHIVE = 64L << 20;

  private final HttpDownloader http;

  IndexRepoFetcher(HttpDownloader http) {
    this.http = http;
  }

  Path fetch(URI repo, ChartRef chart, Path work) throws ChartLoadException, IOException {
    var base = URI.create(repo.toString().endsWith("/") ? repo.toString() : repo + "/");
    var indexUri = base.resolve("index.yaml");
    var indexFile = work.resolve("index.yaml");
    var status = http.get(indexUri, indexFile, RepoIndex.LARGEST);
    if (status == 404) {
      return withoutIndex(base, chart, work);
    }
    require(indexUri, status);
    var entry = entry(indexUri, indexFile, chart);
    var archive = work.resolve("chart.tgz");
    var uri = archiveUri(base, entry);
    require(uri, http.get(uri, archive, LARGEST_ARCHIVE));
    verify(uri, entry, archive);
    return archive;
  }

  private Path withoutIndex(URI base, ChartRef chart, Path work) throws ChartLoadException {
    if (chart.version().isEmpty()) {
      throw ChartLoadException.notLoaded(
          base + " has no index.yaml to find the newest version in; set --chart-version");
    }
    var uri = base.resolve(chart.name() + "-" + chart.version() + ".tgz");
    var archive = work.resolve("chart.tgz");
    var status = http.get(uri, archive, LARGEST_ARCHIVE);
    if (status == 404) {
      throw ChartLoadException.notFound("neither index.yaml nor " + uri + " exists");
    }
    require(uri, status);
    return archive;
  }

  static RepoIndex.Entry entry(Object origin, Path index, ChartRef chart)
      throws ChartLoadException {
    RepoIndex parsed;
    try {
      parsed = RepoIndex.read(index, chart.name());
    } catch (IOException e) {
      throw ChartLoadException.notLoaded(origin + " is not a chart index");
    }
    return parsed
        .find(chart.version())
        .orElseThrow(
            () ->
                ChartLoadException.notFound(
                    "%s has no chart %s %s"
                        .formatted(
                            origin,
                            chart.name(),
                            chart.version().isEmpty() ? "in a stable version" : chart.version())));
  }

  /** An index is not trusted to send us anywhere but to web servers. */
  private static URI archiveUri(URI base, RepoIndex.Entry entry) throws ChartLoadException {
    try {
      var uri = base.resolve(entry.urls().getFirst());
      if ("https".equals(uri.getScheme()) || "http".equals(uri.getScheme())) {
        return uri;
      }
      throw ChartLoadException.notLoaded(
          "the index of %s points to %s; if that is a registry, use it as --chart-repo"
              .formatted(base, uri));
    } catch (IllegalArgumentException | NoSuchElementException e) {
      throw ChartLoadException.notLoaded(
          "the index of %s has no usable URL for version %s".formatted(base, entry.version()));
    }
  }

  static void verify(Object origin, RepoIndex.Entry entry, Path archive)
      throws ChartLoadException, IOException {
    var actual = ChartCache.sha256(archive);
    if (!entry.digest().isEmpty() && !entry.digest().equalsIgnoreCase(actual)) {
      throw new ChartLoadException(
          new DigestMismatch(
              "%s has sha256 %s, the index says %s".formatted(origin, actual, entry.digest())));
    }
  }

  private static void require(URI uri, int status) throws ChartLoadException {
    if (status != 200) {
      var remedy =
          status == 401 || status == 403
              ? "; see --chart-repo-username and --chart-repo-password-file"
              : "";
      throw ChartLoadException.notLoaded(uri + ": HTTP " + status + remedy);
    }
  }
}

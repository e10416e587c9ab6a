// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.ChartResult.DigestMismatch;
import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.ChartResult.ToolUnusable;
import io.krypton.operator.release.chart.ChartResult.VersionNotFound;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.process.PrivateDirectory;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RepoChartLoaderTest {
  private static final byte[] WEB =
      PackedChart.of("web", "1.2.3", "replicaCount: 1\ninstallCRDs: no\n");

  @TempDir Path directory;

  private ChartServer server;
  private RepoChartLoader sources;

  @BeforeEach
  void start() throws IOException {
    server = new ChartServer();
    sources = new RepoChartLoader(directory.resolve("data"), new NoTool(), Duration.ofSeconds(2));
  }

  @AfterEach
  void stop() {
    sources.close();
    server.close();
  }

  @Test
  void a_chart_is_kept_under_its_content_and_tells_its_default_keys() throws IOException {
    serveIndex("1.2.3", "charts/web.tgz", PackedChart.sha256(WEB));
    server.serve("/repo/charts/web.tgz", WEB);
    var loaded = (Loaded) load("1.2.3");
    var sha256 = PackedChart.sha256(WEB);
    assertThat(loaded)
        .isEqualTo(
            new Loaded(
                loaded.archive(),
                sha256,
                "1.2.3",
                Set.of("replicaCount", "installCRDs"),
                loaded.digest()));
    assertThat(loaded.archive()).hasFileName(sha256 + ".tgz").hasBinaryContent(WEB);
    assertThat(filesOfCharts()).containsExactly(sha256 + ".tgz");
  }

  @Test
  void nothing_of_a_run_that_died_stays_and_nothing_of_this_one_after_its_end() throws IOException {
    sources.close();
    var charts = directory.resolve("data/charts");
    Files.createDirectories(charts.resolve("99-1-x/loading-1"));
    Files.createFile(charts.resolve("99-1-x/lock"));
    Files.write(charts.resolve("99-1-x/loading-1/chart.tgz"), WEB);
    Files.createDirectories(charts.resolve("sha256")); // As earlier versions kept them.
    Files.write(charts.resolve("sha256/abc.tgz"), WEB);

    sources = new RepoChartLoader(directory.resolve("data"), new NoTool(), Duration.ofSeconds(2));

    assertThat(filesOfCharts()).isEmpty();
    server.serve("/repo/web-1.2.3.tgz", WEB);
    try (var other =
        new RepoChartLoader(directory.resolve("data"), new NoTool(), Duration.ofSeconds(2))) {
      var ours = (Loaded) load("1.2.3");
      var theirs = (Loaded) other.load(ChartRef.of(server.url() + "/repo", "web", "1.2.3"));
      sources.close();
      assertThat(ours.archive()).doesNotExist();
      assertThat(theirs.archive()).exists();
    }
    assertThat(filesOfCharts()).isEmpty();
  }

  @Test
  void a_cleaner_of_temporary_files_costs_one_more_download() throws IOException {
    server.serve("/repo/web-1.2.3.tgz", WEB);
    var loaded = (Loaded) load("1.2.3");
    PrivateDirectory.delete(directory.resolve("data"));
    assertThat(loaded.archive()).doesNotExist();
    assertThat(((Loaded) load("1.2.3")).archive()).exists();
  }

  private List<String> filesOfCharts() throws IOException {
    try (var files = Files.walk(directory.resolve("data/charts"))) {
      return files
          .filter(Files::isRegularFile)
          .map(file -> file.getFileName().toString())
          .filter(name -> !name.equals("lock"))
          .toList();
    }
  }

  @Test
  void a_v_in_front_makes_no_difference_and_no_version_means_the_newest() {
    serveIndex("v1.2.3", "charts/web.tgz", "");
    server.serve("/repo/charts/web.tgz", WEB);
    assertThat(load("1.2.3")).isInstanceOf(Loaded.class);
    assertThat(load("")).isInstanceOf(Loaded.class);
  }

  @Test
  void a_url_in_the_index_may_point_to_another_server() throws IOException {
    try (var other = new ChartServer()) {
      other.serve("/web.tgz", WEB);
      serveIndex("1.2.3", other.url() + "/web.tgz", PackedChart.sha256(WEB));
      assertThat(load("1.2.3")).isInstanceOf(Loaded.class);
    }
  }

  @Test
  void a_url_in_the_index_may_not_point_to_a_file() {
    serveIndex("1.2.3", "file:///etc/passwd", "");
    assertThat(message(load("1.2.3"))).contains("points to file:///etc/passwd");
  }

  @Test
  void another_digest_is_refused_and_nothing_is_kept() throws IOException {
    serveIndex("1.2.3", "charts/web.tgz", "0".repeat(64));
    server.serve("/repo/charts/web.tgz", WEB);
    assertThat(load("1.2.3"))
        .isEqualTo(
            new DigestMismatch(
                "%s/repo/charts/web.tgz has sha256 %s, the index says %s"
                    .formatted(server.url(), PackedChart.sha256(WEB), "0".repeat(64))));
    assertThat(filesOfCharts()).isEmpty();
  }

  @Test
  void a_version_that_is_not_there_is_told_apart_from_a_repo_that_is_down() {
    serveIndex("1.2.3", "charts/web.tgz", "");
    assertThat(load("9.9.9"))
        .isEqualTo(new VersionNotFound(server.url() + "/repo/index.yaml has no chart web 9.9.9"));
    server.fail("/repo/index.yaml", 503);
    assertThat(load("1.2.3")).isEqualTo(new NotLoaded(server.url() + "/repo/index.yaml: HTTP 503"));
    server.close();
    assertThat(load("1.2.3"))
        .isEqualTo(new NotLoaded(server.url() + "/repo/index.yaml: cannot connect"));
  }

  @Test
  void a_helm_that_cannot_be_used_is_not_the_fault_of_the_repository() {
    var ref = ChartRef.of("oci://registry.test/charts", "web", "1.2.3");
    assertThat(sources.load(ref)).isEqualTo(new ToolUnusable("no tool"));
  }

  @Test
  void without_an_index_the_file_is_asked_for_by_name() {
    assertThat(load("1.2.3"))
        .isEqualTo(
            new VersionNotFound(
                "neither index.yaml nor " + server.url() + "/repo/web-1.2.3.tgz exists"));
    server.serve("/repo/web-1.2.3.tgz", WEB);
    assertThat(load("1.2.3")).isInstanceOf(Loaded.class);
    assertThat(message(load(""))).endsWith("set --chart-version");
  }

  @Test
  void an_archive_of_another_version_is_not_the_one_asked_for() {
    server.serve("/repo/web-2.0.0.tgz", WEB);
    assertThat(load("2.0.0"))
        .isEqualTo(
            new VersionNotFound(
                server.url() + "/repo holds version 1.2.3 of chart web, not 2.0.0"));
  }

  @Test
  void a_torn_or_senseless_archive_is_not_loaded() {
    server.serve("/repo/web-1.2.3.tgz", java.util.Arrays.copyOf(WEB, WEB.length / 2));
    assertThat(message(load("1.2.3"))).startsWith("bad archive: ");
    server.serve("/repo/web-1.2.3.tgz", "<html>".getBytes(StandardCharsets.UTF_8));
    assertThat(message(load("1.2.3"))).startsWith("bad archive: ");
    server.serve("/repo/web-1.2.3.tgz", new PackedChart().with("web/README.md", "x").bytes());
    assertThat(message(load("1.2.3")))
        .isEqualTo("bad archive: no Chart.yaml with an exact version in it");
  }

  @Test
  void an_index_that_is_none_is_not_loaded() {
    server.serve("/repo/index.yaml", "<html>: [".getBytes(StandardCharsets.UTF_8));
    assertThat(load("1.2.3"))
        .isEqualTo(new NotLoaded(server.url() + "/repo/index.yaml is not a chart index"));
  }

  @Test
  void a_server_that_never_answers_is_given_up() throws IOException {
    try (var silent = new ServerSocket(0, 10, InetAddress.getLoopbackAddress())) {
      var repo = "http://127.0.0.1:" + silent.getLocalPort();
      assertThat(sources.load(ChartRef.of(repo, "web", "1.2.3")))
          .isEqualTo(new NotLoaded(repo + "/index.yaml: no answer within 2 s"));
    }
  }

  @Test
  void a_local_archive_is_copied() throws IOException {
    var file = Files.write(directory.resolve("any.tgz"), WEB);
    var loaded = (Loaded) sources.load(ChartRef.of(file.toString(), "web", "1.2.3"));
    Files.writeString(file, "changed afterwards");
    assertThat(loaded.archive()).hasBinaryContent(WEB);
  }

  @Test
  void a_local_directory_may_hold_an_index_or_archives_by_name() throws IOException {
    var charts = Files.createDirectory(directory.resolve("charts"));
    Files.write(charts.resolve("web-1.2.3.tgz"), WEB);
    assertThat(local(charts, "1.2.3")).isInstanceOf(Loaded.class);
    assertThat(local(charts, "9.9.9")).isInstanceOf(VersionNotFound.class);
    Files.writeString(
        charts.resolve("index.yaml"), index("1.2.3", "web-1.2.3.tgz", "1".repeat(64)));
    assertThat(local(charts, "1.2.3")).isInstanceOf(DigestMismatch.class);
    Files.writeString(charts.resolve("index.yaml"), index("1.2.3", "../any.tgz", ""));
    Files.write(directory.resolve("any.tgz"), WEB);
    assertThat(message(local(charts, "1.2.3"))).contains("which is no file beside it");
    assertThat(message(local(directory.resolve("nowhere"), "1.2.3"))).endsWith("does not exist");
  }

  private ChartResult load(String version) {
    return sources.load(ChartRef.of(server.url() + "/repo", "web", version));
  }

  private ChartResult local(Path path, String version) {
    return sources.load(ChartRef.of(path.toString(), "web", version));
  }

  private void serveIndex(String version, String url, String digest) {
    server.serve("/repo/index.yaml", index(version, url, digest).getBytes(StandardCharsets.UTF_8));
  }

  private static String index(String version, String url, String digest) {
    return """
    apiVersion: v1
    entries:
      aaa:
      - {version: 1.2.3, urls: [nowhere.tgz], digest: "%s"}
      web:
      - {version: 0.9.0, urls: [nowhere.tgz], maintainers: [{name: x}]}
      - version: %s
        annotations: {a: [b, {c: d}]}
        digest: "%s"
        urls:
        - %s
        - http://mirror.test/never.tgz
      - {version: 3.0.0-rc.1, urls: [nowhere.tgz]}
    generated: "2026-01-01T00:00:00Z"
    """
        .formatted("f".repeat(64), version, digest, url);
  }

  private static String message(ChartResult result) {
    return ((NotLoaded) result).message();
  }

  /** Neither registries nor directories here; see OciChartsIT and LocalChartFetcherIT. */
  private record NoTool() implements ChartTool {
    @Override
    public Result pull(String reference, String version, RepoAccess access, Path into) {
      return new Result.Unusable("no tool");
    }

    @Override
    public Result pack(Path directory, Path into) {
      return new Result.Failed("no tool");
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.chart.RepoCredentials.FileCredentials;
import io.krypton.operator.release.helm.ChartTool;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Index repositories that are not for everybody. */
class PrivateRepoTest {
  private static final byte[] WEB = PackedChart.of("web", "1.2.3", "replicaCount: 1\n");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("charts");

  @TempDir Path directory;

  @Test
  void a_password_opens_it_and_goes_to_no_other_server() throws IOException {
    try (var repo = new ChartServer().requires("ann", "hunter2");
        var other = new ChartServer()) {
      index(repo, other.url() + "/web.tgz");
      other.redirect("/web.tgz", other.url() + "/there.tgz").serve("/there.tgz", WEB);

      assertThat(load(repo.url(), RepoCredentials.NONE, Map.of()))
          .isInstanceOfSatisfying(
              NotLoaded.class,
              it -> assertThat(it.message()).contains("HTTP 401", "--chart-repo-username"));
      assertThat(load(repo.url(), password("ann", "hunter2"), Map.of())).isInstanceOf(Loaded.class);
      assertThat(other.logins()).containsExactly("null", "null");
    }
  }

  @Test
  void a_redirect_to_another_server_takes_no_password_along() throws IOException {
    try (var repo = new ChartServer().requires("ann", "hunter2");
        var other = new ChartServer()) {
      index(repo, "web.tgz");
      repo.redirect("/web.tgz", other.url() + "/web.tgz");
      other.serve("/web.tgz", WEB);
      assertThat(load(repo.url(), password("ann", "hunter2"), Map.of())).isInstanceOf(Loaded.class);
      assertThat(other.logins()).containsExactly("null");
    }
  }

  @Test
  void an_own_authority_and_a_client_certificate_open_it() throws IOException {
    var server =
        InMemoryTls.client(AUTHORITY.certificate(), AUTHORITY.server("charts.test", List.of()));
    try (var repo = ChartServer.secure(server, true)) {
      index(repo, "web.tgz");
      repo.serve("/web.tgz", WEB);
      var user = AUTHORITY.user("ann", List.of());
      var ca = AUTHORITY.certificatePem();
      assertThat(load(repo.url(), RepoCredentials.NONE, Map.of()))
          .isInstanceOfSatisfying(
              NotLoaded.class,
              it -> assertThat(it.message()).contains("TLS failed", "--chart-repo-ca-file"));
      assertThat(load(repo.url(), access(null, null, ca, null, null), Map.of()))
          .isInstanceOf(NotLoaded.class);
      assertThat(
              load(
                  repo.url(),
                  access(null, null, ca, user.certificatePem(), user.keyPem()),
                  Map.of()))
          .isInstanceOf(Loaded.class);
    }
  }

  @Test
  void the_authorities_that_helm_would_use_count_here_too() throws IOException {
    try (var repo = secure()) {
      var file = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.certificatePem());
      assertThat(load(repo.url(), RepoCredentials.NONE, Map.of())).isInstanceOf(NotLoaded.class);
      assertThat(load(repo.url(), RepoCredentials.NONE, Map.of("SSL_CERT_FILE", file.toString())))
          .isInstanceOf(Loaded.class);
    }
  }

  @Test
  void a_proxy_is_used_where_the_variables_say_so() throws IOException {
    try (var repo = secure();
        var proxy = new TunnelProxy(repo.port())) {
      var ca = access(null, null, AUTHORITY.certificatePem(), null, null);
      var variables = Map.of("HTTPS_PROXY", proxy.url(), "NO_PROXY", "internal.test");

      assertThat(load("https://charts.test", ca, variables)).isInstanceOf(Loaded.class);
      assertThat(proxy.asked()).isNotEmpty().allMatch("charts.test:443"::equals);

      var before = proxy.asked().size();
      assertThat(load(repo.url(), ca, variables)).as("loopback").isInstanceOf(Loaded.class);
      assertThat(load("https://internal.test", ca, variables)).isInstanceOf(NotLoaded.class);
      assertThat(proxy.asked()).hasSize(before);
    }
  }

  @Test
  void a_plain_proxy_gets_its_login_and_no_log_or_message_does() throws IOException {
    try (var proxy = new ChartServer()) {
      index(proxy, "web.tgz");
      proxy.serve("/web.tgz", WEB);
      var variable = "http://bob:proxy-secret@" + proxy.address();
      assertThat(load("http://charts.test", RepoCredentials.NONE, Map.of("http_proxy", variable)))
          .isInstanceOf(Loaded.class);
      assertThat(proxy.proxyLogins()).allMatch("Basic Ym9iOnByb3h5LXNlY3JldA=="::equals).hasSize(2);
      proxy.fail("/index.yaml", 407);
      assertThat(
              load("http://charts.test", RepoCredentials.NONE, Map.of("http_proxy", variable))
                  .describe())
          .doesNotContain("proxy-secret");
    }
  }

  /**
   * The JDK sends no login to the proxy of a TLS connection, unless an option of the JVM allows it.
   */
  @Test
  void a_proxy_of_tls_gets_its_login_in_a_jvm_with_the_options_of_our_launchers()
      throws IOException {
    try (var repo = secure();
        var proxy = new TunnelProxy(repo.port()).requires("Ym9iOnByb3h5LXNlY3JldA==")) {
      var authorities = Files.writeString(directory.resolve("ca.pem"), AUTHORITY.certificatePem());
      var program =
          new ProcessBuilder(
                  ProcessHandle.current().info().command().orElseThrow(),
                  "-Djdk.http.auth.tunneling.disabledSchemes=",
                  "-cp",
                  System.getProperty("java.class.path"),
                  ProxyLoginMain.class.getName(),
                  directory.resolve("data").toString(),
                  "https://charts.test",
                  authorities.toString(),
                  "http://bob:proxy-secret@127.0.0.1:" + proxy.port())
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      try (var said = program.inputReader()) {
        assertThat(said.lines().toList()).endsWith("loaded");
      } finally {
        program.destroyForcibly();
      }
    }
  }

  @Test
  void files_are_read_anew_each_time_as_a_mounted_secret_has_them() throws IOException {
    var mounted = Files.createDirectory(directory.resolve("mounted"));
    Files.writeString(mounted.resolve("username"), "ann\n");
    Files.writeString(mounted.resolve("password"), "old\n");
    var files = new FileCredentials(mounted, null, Map.of());
    try (var repo = new ChartServer().requires("ann", "hunter2");
        var sources = sources(files, Map.of())) {
      index(repo, "web.tgz");
      repo.serve("/web.tgz", WEB);
      var chart = ChartRef.of(repo.url(), "web", "1.2.3");
      assertThat(sources.load(chart)).isInstanceOf(NotLoaded.class);
      Files.writeString(mounted.resolve("password"), "hunter2");
      assertThat(sources.load(chart)).isInstanceOf(Loaded.class);
      Files.delete(mounted.resolve("password"));
      assertThat(sources.load(chart).describe()).contains("username and password");
    }
  }

  @Test
  void a_file_that_is_not_there_is_told_with_its_flag() throws IOException {
    var file = new FileCredentials.Named("--chart-repo-ca-file", directory.resolve("none"));
    assertThat(
            load(
                "http://charts.test",
                new FileCredentials(null, null, Map.of("ca.crt", file)),
                Map.of()))
        .isEqualTo(
            new NotLoaded("--chart-repo-ca-file %s/none does not exist".formatted(directory)));
  }

  @Test
  void what_opens_it_shows_in_no_text() {
    var access = new RepoAccess("ann", "hunter2", null, null, null, "{\"auths\":{}}");
    assertThat(access).hasToString("RepoAccess[password, registry logins]");
  }

  private ChartServer secure() throws IOException {
    var issuedIdentity = AUTHORITY.server("charts.test", List.of("charts.test"));
    var repo = ChartServer.secure(InMemoryTls.server(issuedIdentity), false);
    index(repo, "web.tgz");
    return repo.serve("/web.tgz", WEB);
  }

  private static void index(ChartServer repo, String url) {
    repo.serve(
        "/index.yaml",
        """
        apiVersion: v1
        entries:
          web:
            - {version: 1.2.3, digest: "%s", urls: ["%s"]}
        """
            .formatted(PackedChart.sha256(WEB), url)
            .getBytes(StandardCharsets.UTF_8));
  }

  private static RepoCredentials password(String user, String password) {
    return access(user, password, null, null, null);
  }

  private static RepoCredentials access(
      @Nullable String user,
      @Nullable String password,
      @Nullable String ca,
      @Nullable String certificate,
      @Nullable String key) {
    return () -> new RepoAccess(user, password, ca, certificate, key, null);
  }

  private ChartResult load(
      String repo, RepoCredentials credentials, Map<String, String> environment) {
    try (var sources = sources(credentials, environment)) {
      var result = sources.load(ChartRef.of(repo, "web", "1.2.3"));
      if (result instanceof NotLoaded failed) {
        assertThat(failed.message()).doesNotContain("hunter2");
      }
      return result;
    }
  }

  private RepoChartLoader sources(RepoCredentials credentials, Map<String, String> environment) {
    return new RepoChartLoader(
        directory.resolve("data"),
        new ChartTool() {
          @Override
          public Result pull(String reference, String version, RepoAccess access, Path into) {
            return new Result.Unusable("no tool");
          }

          @Override
          public Result pack(Path chart, Path into) {
            return new Result.Unusable("no tool");
          }
        },
        Duration.ofSeconds(20),
        chart -> credentials,
        environment);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.operator.release.chart.ChartResult.Loaded;
import io.krypton.operator.release.chart.ChartResult.NotLoaded;
import io.krypton.operator.release.helm.HelmEngine.WorkerListener;
import io.krypton.operator.release.helm.HelmSettings;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.helm.MemoryPlan;
import io.krypton.operator.release.helm.MemoryPlan.Share;
import io.krypton.operator.release.helm.RealHelm;
import io.krypton.operator.release.helm.RealHelm.Engine;
import io.krypton.operator.release.helm.RepoAccess;
import io.krypton.operator.release.helm.choice.ChosenEngine;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/** {@code helm pull} from a registry with TLS and a login. */
@ParameterizedClass(name = "{0}")
@EnumSource(Engine.class)
class PrivateRegistryIT {
  private static final byte[] WEB = PackedChart.of("web", "1.2.3", "replicaCount: 1\n");
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("registry");
  private static final String CA = AUTHORITY.certificatePem();
  private static final MemoryPlan MEMORY = new MemoryPlan(new Share(8, 128), new Share(8, 128), 32);
  private static final String LOGINS =
      "{\"auths\":{\"charts.test\":{\"auth\":\"YW5uOmh1bnRlcjI=\"}}}"; // ann:hunter2

  @TempDir Path directory;

  private final Engine which;

  PrivateRegistryIT(Engine which) {
    this.which = which;
  }

  @Test
  void password_authority_and_certificate_open_it() throws IOException {
    try (var registry = registry(true)) {
      var ann = AUTHORITY.user("ann", List.of());
      var chart = "oci://" + registry.address() + "/charts";

      assertThat(load(chart, access("ann", "hunter2", ann, null), Map.of()))
          .isInstanceOf(Loaded.class);
      assertThat(load(chart, access("ann", "wrong", ann, null), Map.of()))
          .isInstanceOfSatisfying(
              NotLoaded.class,
              it -> assertThat(it.message()).contains("401").doesNotContain("wrong"));
      assertThat(load(chart, access("ann", "hunter2", null, null), Map.of()))
          .as("without a client certificate")
          .isInstanceOf(NotLoaded.class);
    }
  }

  @Test
  void logins_as_docker_stores_them_work_by_a_proxy() throws IOException {
    try (var registry = registry(false);
        var proxy = new TunnelProxy(registry.port())) {
      assertThat(
              load(
                  "oci://charts.test/charts",
                  access(null, null, null, LOGINS),
                  Map.of("HTTPS_PROXY", proxy.url())))
          .isInstanceOf(Loaded.class);
      assertThat(proxy.asked()).isNotEmpty().allMatch("charts.test:443"::equals);
    }
  }

  @Test
  void the_authorities_of_the_machine_are_used() throws IOException {
    try (var registry = registry(false);
        var proxy = new TunnelProxy(registry.port())) {
      var file = Files.writeString(directory.resolve("ca.pem"), CA);
      var login = new RepoAccess("ann", "hunter2", null, null, null, null);
      assertThat(
              load(
                  "oci://charts.test/charts",
                  login,
                  Map.of("HTTPS_PROXY", proxy.url(), "SSL_CERT_FILE", file.toString())))
          .isInstanceOf(Loaded.class);
    }
  }

  /** What anybody on the machine can see of a running program. */
  @Test
  void no_argument_and_no_variable_holds_a_secret() throws IOException {
    var seen = directory.resolve("seen");
    var spy =
        Files.writeString(
            directory.resolve("spy"),
            """
            #!/bin/sh
            [ "$1" = version ] || { echo "$@"; env; } >> %s
            exec %s "$@"
            """
                .formatted(seen, which.program()));
    Files.setPosixFilePermissions(spy, PosixFilePermissions.fromString("rwxr-xr-x"));
    try (var registry = registry(true)) {
      var ann = AUTHORITY.user("ann", List.of());
      var programs = new Programs(which.choice(), spy.toString(), spy.toString());
      var settings = HelmSettings.defaults(programs, directory.resolve("data"), MEMORY, Map.of());
      assertThat(
              load(
                  "oci://" + registry.address() + "/charts",
                  access("ann", "hunter2", ann, null),
                  settings,
                  Map.of()))
          .isInstanceOf(Loaded.class);
    }
    assertThat(seen)
        .content()
        .contains(which == Engine.CLI ? "--key-file" : "HOME=")
        .doesNotContain("hunter2", "YW5uOmh1bnRlcjI", "PRIVATE KEY");
    try (var files = Files.walk(directory.resolve("data"))) {
      assertThat(files).noneMatch(file -> file.endsWith("logins.json") || file.endsWith("tls.key"));
    }
  }

  private static ChartServer registry(boolean asksForCertificate) throws IOException {
    var issuedIdentity = AUTHORITY.server("charts.test", List.of("charts.test"));
    var registry =
        ChartServer.secure(
                InMemoryTls.client(AUTHORITY.certificate(), issuedIdentity), asksForCertificate)
            .requires("ann", "hunter2");
    PackedChart.publish(registry, "1.2.3", WEB);
    return registry;
  }

  private static RepoAccess access(
      @Nullable String user,
      @Nullable String password,
      @Nullable IssuedIdentity issuedIdentity,
      @Nullable String logins) {
    return new RepoAccess(
        user,
        password,
        CA,
        issuedIdentity == null ? null : issuedIdentity.certificatePem(),
        issuedIdentity == null ? null : issuedIdentity.keyPem(),
        logins);
  }

  private ChartResult load(String repo, RepoAccess access, Map<String, String> environment) {
    return load(repo, access, settings(environment), environment);
  }

  private ChartResult load(
      String repo, RepoAccess access, HelmSettings settings, Map<String, String> environment) {
    try (var helm = new ChosenEngine(settings, WorkerListener.NONE);
        var sources =
            new RepoChartLoader(
                directory.resolve("data"),
                helm.charts(),
                Duration.ofSeconds(20),
                chart -> () -> access,
                environment)) {
      return sources.load(ChartRef.of(repo, "web", "1.2.3"));
    }
  }

  private HelmSettings settings(Map<String, String> environment) {
    return RealHelm.settings(directory, which, environment);
  }
}

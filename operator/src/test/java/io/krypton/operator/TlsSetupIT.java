// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.base.http.PageServer;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.operator.observe.Metrics;
import io.krypton.operator.platform.Platform;
import io.krypton.operator.tls.profile.PredefinedProfiles;
import io.krypton.operator.tls.profile.TlsProfileParser.ParseResult;
import io.krypton.operator.tls.serving.ServingInputs.ProfileSource;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Platform, profile source and metrics authentication in every combination: a real server is
 * started for each, and what clients see of one setting never depends on the other two.
 */
@ExtendWith(ControlPlaneExtension.class)
class TlsSetupIT {
  private static final String USER_AGENT = "three-settings";
  private static final String TLS12 = "TLSv1.2";
  private static final String TLS13 = "TLSv1.3";
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private static ControlPlane plane;

  @TempDir Path directory;

  @BeforeAll
  static void remember(@Cluster("settings") ControlPlane settings) {
    plane = settings;
  }

  record Row(String platform, String source, String auth) {}

  static Stream<Row> rows() {
    return Stream.of("openshift", "kubernetes")
        .flatMap(
            platform ->
                Stream.of("file", "flags", "none")
                    .flatMap(
                        source ->
                            Stream.of("delegated", "none")
                                .map(auth -> new Row(platform, source, auth))));
  }

  @ParameterizedTest
  @MethodSource("rows")
  void each_setting_acts_by_itself(Row row, @Cluster("settings") TestNamespace namespace)
      throws Exception {
    deployment(namespace);
    var good = token(namespace, "scraper");
    var stranger = token(namespace, "stranger");
    mayReadMetrics(namespace, "scraper");
    var mark = plane.audit().mark();
    var metrics = new Metrics();
    try (var clients = new ClientFactory(RequestObserver.none());
        var setup = setup(row, namespace, clients, metrics);
        var server = serve(setup, metrics)) {
      setup.registerMetrics(metrics);
      setup.start();

      profileIsThatOfItsSource(row, server, good);
      whoMayReadIsUpToTheAuthentication(row, server, good, stranger);
      consumersAreTold(row, namespace);
      assertThat(get(server, TLS13, "/metrics", good).body())
          .contains("krypton_platform_info{platform=\"%s\"} 1".formatted(row.platform()))
          .containsPattern("krypton_tls_profile_info\\{.*source=\"%s\"".formatted(row.source()));
    }
    var asked = plane.audit().since(mark).only(it -> it.userAgent().startsWith(USER_AGENT));
    assertThat(asked.records())
        .as("a platform that was given is not looked for")
        .noneMatch(request -> request.uri().contains("config.openshift.io"));
    assertThat(asked.on("tokenreviews").size() > 0)
        .as("tokens are reviewed only where they count")
        .isEqualTo(row.auth().equals("delegated"));
  }

  private static void profileIsThatOfItsSource(Row row, PageServer server, String token)
      throws Exception {
    assertThat(get(server, TLS13, "/metrics", token).sslSession().orElseThrow().getProtocol())
        .isEqualTo(TLS13);
    switch (row.source()) {
      case "file" ->
          assertThatThrownBy(() -> get(server, TLS12, "/metrics", token))
              .as("the profile in the file is Modern")
              .isInstanceOf(SSLHandshakeException.class);
      case "flags" ->
          assertThat(suite(server, token)).isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384");
      default ->
          assertThat(suite(server, token))
              .as("the first of Intermediate that fits the key")
              .isEqualTo("TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256");
    }
  }

  private static String suite(PageServer server, String token) throws Exception {
    return get(server, TLS12, "/metrics", token).sslSession().orElseThrow().getCipherSuite();
  }

  private static void whoMayReadIsUpToTheAuthentication(
      Row row, PageServer server, String good, String stranger) throws Exception {
    var isOpen = row.auth().equals("none");
    assertThat(get(server, TLS13, "/metrics", null).statusCode()).isEqualTo(isOpen ? 200 : 401);
    assertThat(get(server, TLS13, "/metrics", "bad").statusCode()).isEqualTo(isOpen ? 200 : 401);
    assertThat(get(server, TLS13, "/metrics", stranger).statusCode()).isEqualTo(isOpen ? 200 : 403);
    assertThat(get(server, TLS13, "/metrics", good).statusCode()).isEqualTo(200);
  }

  /** Consumers get the platform and the authentication of the operator, as literals. */
  private static void consumersAreTold(Row row, TestNamespace namespace) {
    await()
        .atMost(PATIENCE)
        .untilAsserted(
            () -> {
              var env = new HashMap<String, String>();
              plane
                  .admin()
                  .get(deployments(namespace) + "/web")
                  .orThrow()
                  .at("/spec/template/spec/containers/0/env")
                  .forEach(it -> env.put(it.path("name").asText(), it.path("value").asText()));
              assertThat(env)
                  .containsEntry("KRYPTON_PLATFORM", row.platform())
                  .containsEntry("IS_OPENSHIFT", "" + row.platform().equals("openshift"))
                  .containsEntry("KRYPTON_METRICS_AUTH", row.auth())
                  .containsEntry("KRYPTON_TLS_PROFILE_SOURCE", "none");
            });
  }

  /** Each source accepts other connections than the other two. */
  private ProfileSource source(Row row) {
    return switch (row.source()) {
      case "file" -> new ProfileSource.File(directory);
      case "flags" ->
          new ProfileSource.Flags(
              ((ParseResult.Parsed)
                      ParseResult.of(
                          List.of("ECDHE-ECDSA-AES256-GCM-SHA384"), "VersionTLS12", List.of()))
                  .profile());
      default -> new ProfileSource.None();
    };
  }

  private TlsSetup setup(Row row, TestNamespace namespace, ClientFactory clients, Metrics metrics)
      throws IOException {
    Files.writeString(directory.resolve("profile.json"), PredefinedProfiles.MODERN.canonicalJson());
    Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig());
    var settings =
        new TestSettings(
            directory,
            Set.of(),
            namespace.name(),
            false,
            Platform.named(row.platform()).orElseThrow(),
            source(row),
            row.auth().equals("delegated"));
    return new TlsSetup(
        settings.settings(), clients, ClientSettings.remote(USER_AGENT), metrics, () -> true);
  }

  private static PageServer serve(TlsSetup setup, Metrics metrics) {
    return setup
        .serverSecurity()
        .serve(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Map.of("/metrics", metrics.page()));
  }

  private static HttpResponse<String> get(
      PageServer server, String protocol, String path, @Nullable String token)
      throws IOException, InterruptedException, GeneralSecurityException {
    var parameters = new SSLParameters();
    parameters.setProtocols(new String[] {protocol});
    try (var http =
        HttpClient.newBuilder()
            .sslContext(AnyCertificate.client())
            .sslParameters(parameters)
            .build()) {
      var request =
          HttpRequest.newBuilder(
              URI.create("https://127.0.0.1:%d%s".formatted(server.port(), path)));
      if (token != null) {
        request.header("Authorization", "Bearer " + token);
      }
      return http.send(request.timeout(PATIENCE).build(), HttpResponse.BodyHandlers.ofString());
    }
  }

  private static String deployments(TestNamespace namespace) {
    return "/apis/apps/v1/namespaces/%s/deployments".formatted(namespace.name());
  }

  private static void deployment(TestNamespace namespace) {
    plane
        .admin()
        .post(
            deployments(namespace),
            """
            {"metadata":{"name":"web","labels":{"mesh.openkcm.io/tls-profile":"consume"}},
             "spec":{"replicas":0,"selector":{"matchLabels":{"app":"web"}},
              "template":{"metadata":{"labels":{"app":"web"}},
               "spec":{"containers":[{"name":"main","image":"example/web:1"}]}}}}
            """)
        .orThrow();
  }

  private static String token(TestNamespace namespace, String name) {
    var accounts = namespace.path() + "/serviceaccounts";
    plane.admin().post(accounts, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name)).orThrow();
    return plane
        .admin()
        .post(
            "%s/%s/token".formatted(accounts, name),
            "{\"apiVersion\":\"authentication.k8s.io/v1\",\"kind\":\"TokenRequest\",\"spec\":{}}")
        .orThrow()
        .at("/status/token")
        .asText();
  }

  private static void mayReadMetrics(TestNamespace namespace, String account) {
    var rbac = "/apis/rbac.authorization.k8s.io/v1";
    var name = "metrics-" + namespace.name();
    plane
        .admin()
        .post(
            rbac + "/clusterroles",
            "{\"metadata\":{\"name\":\"%s\"},\"rules\":[{\"nonResourceURLs\":[\"/metrics\"],\"verbs\":[\"get\"]}]}"
                .formatted(name))
        .orThrow();
    plane
        .admin()
        .post(
            rbac + "/clusterrolebindings",
            """
            {"metadata":{"name":"%1$s"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},
             "subjects":[{"kind":"ServiceAccount","name":"%2$s","namespace":"%3$s"}]}
            """
                .formatted(name, account, namespace.name()))
        .orThrow();
  }
}

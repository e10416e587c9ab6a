// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.auth;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.krypton.base.http.PageResponse;
import io.krypton.base.http.PageServer;
import io.krypton.multicluster.client.ClientFactory;
import io.krypton.multicluster.client.ClientSettings;
import io.krypton.multicluster.client.RequestObserver;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.operator.observe.ServerSecurity;
import io.krypton.operator.tls.auth.DelegatedAuth.AuthTimings;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.FaultProxy;
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
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class MetricsAuthIT {
  private final AtomicLong passed = new AtomicLong();
  private final HttpClient http = HttpClient.newHttpClient();

  @Test
  void the_api_server_decides_and_an_outage_is_bridged(
      @Cluster("helm") ControlPlane plane, @Cluster("helm") TestNamespace namespace)
      throws Exception {
    var good = token(plane, namespace, "scraper");
    var stranger = token(plane, namespace, "stranger");
    mayReadMetrics(plane, namespace, "scraper");
    try (var proxy = plane.proxy();
        var clients = new ClientFactory(RequestObserver.none());
        var client = connect(clients, plane.adminKubeconfig(proxy));
        var auth = auth(client);
        var server = serve(auth)) {
      assertThat(get(server, "/metrics", Optional.empty()).statusCode()).isEqualTo(401);
      // 503 for as long as the first review takes longer than a caller has to wait.
      await()
          .untilAsserted(
              () ->
                  assertThat(get(server, "/metrics", Optional.of("nonsense")).statusCode())
                      .isEqualTo(401));
      assertThat(get(server, "/metrics", Optional.of(good)).statusCode()).isEqualTo(200);
      assertThat(get(server, "/status", Optional.of(good)).statusCode()).isEqualTo(403);
      var denied = get(server, "/metrics", Optional.of(stranger));
      assertThat(denied.statusCode()).isEqualTo(403);
      assertThat(denied.body())
          .isEqualTo(
              "Authorization denied for user system:serviceaccount:%s:stranger"
                  .formatted(namespace.name()));
      anOutage(proxy, server, good, stranger);
    }
    try (var clients = new ClientFactory(RequestObserver.none());
        var client = connect(clients, plane.kubeconfigFor("without-rights"));
        var auth = auth(client);
        var server = serve(auth)) {
      var unavailable = get(server, "/metrics", Optional.of(good));
      assertThat(unavailable.statusCode()).isEqualTo(503);
      assertThat(unavailable.headers().firstValue("Retry-After")).contains("5");
    }
  }

  private void anOutage(FaultProxy proxy, PageServer server, String good, String stranger)
      throws Exception {
    proxy.refuse();
    passed.addAndGet(Duration.ofMinutes(6).toNanos());
    assertThat(get(server, "/metrics", Optional.of(good)).statusCode()).isEqualTo(200);
    assertThat(get(server, "/metrics", Optional.of(stranger)).statusCode()).isEqualTo(503);
    passed.addAndGet(Duration.ofMinutes(6).toNanos());
    assertThat(get(server, "/metrics", Optional.of(good)).statusCode()).isEqualTo(503);
    proxy.pass();
    passed.addAndGet(Duration.ofSeconds(6).toNanos());
    assertThat(get(server, "/metrics", Optional.of(good)).statusCode()).isEqualTo(200);
  }

  private DelegatedAuth auth(KubernetesClient client) {
    var standard = AuthTimings.standard(Duration.ofMinutes(10));
    return new DelegatedAuth(
        new KubernetesAccessReviews(() -> Optional.of(client), Duration.ofSeconds(10)),
        new AuthTimings(
            standard.token(),
            standard.allowed(),
            standard.denied(),
            standard.staleGrace(),
            Duration.ofSeconds(20),
            standard.pause(),
            1,
            Duration.ofMillis(50)),
        result -> {},
        InstantSource.system(),
        () -> System.nanoTime() + passed.get());
  }

  private static PageServer serve(DelegatedAuth auth) {
    return new ServerSecurity(Optional.empty(), auth)
        .serve(
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
            Map.of(
                "/metrics", request -> PageResponse.ok("figures"),
                "/status", request -> PageResponse.ok("status")));
  }

  private HttpResponse<String> get(PageServer server, String path, Optional<String> token)
      throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(server.port(), path)));
    token.ifPresent(value -> request.header("Authorization", "Bearer " + value));
    return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
  }

  private static String token(ControlPlane plane, TestNamespace namespace, String name) {
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

  private static void mayReadMetrics(ControlPlane plane, TestNamespace namespace, String account) {
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

  private static KubernetesClient connect(ClientFactory clients, String kubeconfig) {
    return clients
        .connect(
            "home",
            (ParsedKubeconfig.Accepted)
                ParsedKubeconfig.parse(kubeconfig.getBytes(StandardCharsets.UTF_8)),
            ClientSettings.remote("krypton-test").withoutRetries())
        .client();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.util.Map;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ApiAuditIT {
  private static final String CLIENT = "counted-client";

  @Test
  void every_request_of_a_client_counts_once(
      @Cluster("home") ControlPlane home, @Cluster("home") TestNamespace namespace) {
    var audit = home.audit();
    var configMaps = namespace.path() + "/configmaps";
    try (var client = new KubeApi(home.access(CLIENT, "system:masters"))) {
      client.get(configMaps).orThrow();
      var mark = audit.mark();
      try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
        for (int i = 0; i < 50; i++) {
          var json = "{\"metadata\": {\"name\": \"c%d\"}}".formatted(i);
          threads.execute(() -> client.post(configMaps, json).orThrow());
        }
      }
      client.get(configMaps).orThrow();
      client.get(configMaps + "?watch=true&timeoutSeconds=1").orThrow();
      client.get(configMaps + "/absent");

      var trail = audit.since(mark).by(CLIENT).inNamespace(namespace.name());

      assertThat(trail.perVerb())
          .isEqualTo(Map.of("create", 50L, "list", 1L, "watch", 1L, "get", 1L));
      assertThat(trail.perResource()).isEqualTo(Map.of("configmaps", 53L));
      assertThat(trail.withVerb("get").records())
          .singleElement()
          .satisfies(
              request -> {
                assertThat(request.code()).isEqualTo(404);
                assertThat(request.name()).isEqualTo("absent");
                assertThat(request.userAgent()).startsWith("Java-http-client/");
              });
      assertThat(audit.since(audit.mark()).by(CLIENT).size()).isZero();
    }
  }

  @Test
  void a_request_without_valid_credentials_counts_once(
      @Cluster("home") ControlPlane home, @Cluster("away") ControlPlane away) {
    var audit = home.audit();
    var foreign = away.access("foreign");
    var invalid =
        new SandboxKubeconfig(
            "home", home.url(), home.access("x").authority(), "foreign", foreign.identity());
    try (var client = new KubeApi(invalid)) {
      var mark = audit.mark();
      var request = client.request("/api/v1/nodes").header("Authorization", "Bearer nonsense");
      assertThat(client.send(request).status()).isEqualTo(401);

      assertThat(audit.since(mark).on("nodes").only(r -> r.code() == 401).size()).isEqualTo(1);
    }
  }

  @Test
  void refused_requests_count_too(
      @Cluster("home") ControlPlane home, @Cluster("home") TestNamespace namespace) {
    var audit = home.audit();
    try (var stranger = new KubeApi(home.access("stranger"))) {
      var mark = audit.mark();
      stranger.get(namespace.path() + "/secrets");
      stranger.get(namespace.path() + "/secrets?watch=true");
      stranger.delete(namespace.path());

      assertThat(audit.since(mark).by("stranger").per(r -> r.verb() + " " + r.code()))
          .isEqualTo(Map.of("list 403", 1L, "watch 403", 1L, "delete 403", 1L));
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.access.KubeApi;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** On a control plane of its own, because its servers go up and down. */
class LifecycleIT {
  private static final String ENCRYPTION =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
      - resources: [secrets]
        providers:
        - aescbc:
            keys:
            - name: key1
              secret: MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=
        - identity: {}
      """;
  private static final Duration SHORT = Duration.ofMillis(300);

  private static ControlPlane plane;

  @BeforeAll
  static void start() {
    plane =
        ControlPlane.builder("lifecycle")
            .withoutControllerManager()
            .withEncryption(ENCRYPTION)
            .featureGate("HPAScaleToZero", true)
            .apiServerFlag("service-account-issuer", "https://issuer.example.org")
            .start();
  }

  @AfterAll
  static void close() {
    plane.close();
    assertThat(plane.directory()).doesNotExist();
    assertThat(plane.apiServer().isAlive()).isFalse();
    assertThat(plane.etcd().isAlive()).isFalse();
  }

  @Test
  void a_stopped_api_server_refuses_and_comes_back_on_its_port() {
    var pid = plane.apiServer().pid();
    plane.apiServer().stop();
    assertThatThrownBy(() -> plane.admin().get("/readyz"))
        .hasCauseInstanceOf(ConnectException.class);

    plane.apiServer().start();

    assertThat(plane.apiServer().pid()).isNotEqualTo(pid);
    assertThat(plane.admin().get("/readyz").ok()).isTrue();
  }

  @Test
  void a_frozen_api_server_keeps_clients_waiting_until_it_thaws() {
    try (var impatient = new KubeApi(plane.access("admin", "system:masters"), SHORT)) {
      plane.apiServer().freeze();
      assertThatThrownBy(() -> impatient.get("/readyz"))
          .hasCauseInstanceOf(HttpTimeoutException.class);
    }
    plane.apiServer().thaw();

    assertThat(plane.admin().get("/readyz").ok()).isTrue();
  }

  @Test
  void what_a_killed_etcd_had_stored_is_there_after_its_restart() {
    var configMaps = "/api/v1/namespaces/default/configmaps";
    plane.admin().post(configMaps, "{\"metadata\": {\"name\": \"kept\"}}").orThrow();

    plane.etcd().kill();
    plane.etcd().start();

    await()
        .atMost(Duration.ofSeconds(20))
        .ignoreExceptionsInstanceOf(UncheckedIOException.class)
        .until(() -> plane.admin().get(configMaps + "/kept").ok());
  }

  @Test
  void secrets_are_encrypted_in_etcd_and_other_objects_are_not() {
    var core = "/api/v1/namespaces/default";
    plane.admin().post(core + "/secrets", "{\"metadata\": {\"name\": \"hidden\"}}").orThrow();
    plane.admin().post(core + "/configmaps", "{\"metadata\": {\"name\": \"open\"}}").orThrow();

    assertThat(stored("/registry/secrets/default/hidden")).startsWith("k8s:enc:aescbc:v1:key1:");
    assertThat(stored("/registry/configmaps/default/open")).startsWith("k8s\0");
    assertThat(plane.stored("/registry/secrets/default/absent")).isEmpty();
  }

  @Test
  void flags_of_the_caller_replace_defaults_and_feature_gates_open() {
    var discovery = plane.admin().get("/.well-known/openid-configuration").orThrow();
    var metrics = plane.admin().get("/metrics").orThrow().textValue();

    assertThat(discovery.path("issuer").asText()).isEqualTo("https://issuer.example.org");
    assertThat(metrics)
        .contains("kubernetes_feature_enabled{name=\"HPAScaleToZero\",stage=\"ALPHA\"} 1");
  }

  @Test
  void what_was_left_out_is_said_so() {
    assertThatThrownBy(plane::controllerManager)
        .hasMessage("control plane lifecycle was built without a controller manager");
    assertThatThrownBy(plane::audit)
        .hasMessage("control plane lifecycle was built without an audit log");
  }

  private static String stored(String key) {
    return new String(plane.stored(key).orElseThrow(), StandardCharsets.ISO_8859_1);
  }
}

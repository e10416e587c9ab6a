// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Both readers say the same of the same API server. */
@ExtendWith(ControlPlaneExtension.class)
class ApiReaderIT {
  private static final ClientSettings SETTINGS = ClientSettings.remote("test").withoutRetries();

  enum Way {
    DIRECT,
    LIBRARY;

    /** Closes what it opened when the question is answered. */
    <T> T ask(ParsedKubeconfig.Accepted kubeconfig, Question<T> question) throws Exception {
      if (this == DIRECT) {
        try (var reader = DirectApiReader.of(kubeconfig, SETTINGS)) {
          return question.to(reader);
        }
      }
      try (var clients = new ClientFactory(RequestObserver.none());
          var connection = clients.connect("home", kubeconfig, SETTINGS)) {
        return question.to(connection.reader());
      }
    }
  }

  interface Question<T> {
    T to(ApiReader reader);
  }

  private static ParsedKubeconfig.Accepted kubeconfig(String yaml) {
    return (ParsedKubeconfig.Accepted)
        ParsedKubeconfig.parse(yaml.getBytes(StandardCharsets.UTF_8));
  }

  @ParameterizedTest
  @EnumSource
  void an_answer_is_a_tree(Way way, @Cluster("home") ControlPlane home) throws Exception {
    var access = kubeconfig(home.adminKubeconfig());

    assertThat(way.ask(access, reader -> reader.get("/version")).path("gitVersion").asText())
        .startsWith("v1.");
    assertThat(way.ask(access, ApiReader::server)).isEqualTo(home.url().toString());
  }

  @ParameterizedTest
  @EnumSource
  void a_long_list_comes_whole_and_in_order(
      Way way, @Cluster("home") ControlPlane home, @Cluster("home") TestNamespace namespace)
      throws Exception {
    var path = "/api/v1/namespaces/%s/configmaps".formatted(namespace.name());
    var expected = new ArrayList<String>();
    for (int i = 0; i < ApiReader.PAGE + 3; i++) {
      var name = "c-%04d".formatted(i);
      expected.add(name);
      home.admin()
          .post(
              path,
              "{\"metadata\":{\"name\":\"%s\",\"labels\":{\"long\":\"true\"}}}".formatted(name))
          .orThrow();
    }

    List<JsonNode> items =
        way.ask(
            kubeconfig(home.adminKubeconfig()),
            reader -> reader.list(path + "?labelSelector=long"));

    assertThat(items)
        .extracting(item -> item.path("metadata").path("name").asText())
        .containsExactlyElementsOf(expected);
  }

  @ParameterizedTest
  @EnumSource
  void what_is_not_there_is_a_404_with_the_words_of_the_server(
      Way way, @Cluster("home") ControlPlane home) {
    assertThatThrownBy(
            () ->
                way.ask(
                    kubeconfig(home.adminKubeconfig()),
                    reader -> reader.get("/api/v1/namespaces/default/secrets/nothing")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            failed -> {
              assertThat(failed.getCode()).isEqualTo(404);
              assertThat(failed.getStatus().getMessage())
                  .isEqualTo("secrets \"nothing\" not found");
            });
  }

  @ParameterizedTest
  @EnumSource
  void credentials_that_are_refused_are_a_401(Way way, @Cluster("home") ControlPlane home) {
    var stranger =
        """
        clusters: [{name: c, cluster: {server: "%s", insecure-skip-tls-verify: true}}]
        users: [{name: u, user: {token: "not-a-token"}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """
            .formatted(home.url());

    assertThatThrownBy(
            () -> way.ask(kubeconfig(stranger), reader -> reader.get("/api/v1/namespaces")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            failed ->
                assertThat(ClusterFailure.of(failed).kind())
                    .isEqualTo(ClusterFailure.Kind.CREDENTIALS_REFUSED));
  }

  @ParameterizedTest
  @EnumSource
  void a_server_that_is_not_there_is_no_connection(Way way) {
    var nowhere =
        """
        clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
        users: [{name: u, user: {token: "t"}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        """;

    assertThatThrownBy(() -> way.ask(kubeconfig(nowhere), reader -> reader.get("/version")))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            failed ->
                assertThat(ClusterFailure.of(failed).kind())
                    .isEqualTo(ClusterFailure.Kind.NO_CONNECTION));
  }

  @Test
  void a_server_that_does_not_answer_ends_with_the_time_limit() throws Exception {
    try (var silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var url = URI.create("http://127.0.0.1:" + silent.getLocalPort());
      var access =
          kubeconfig(
              """
              clusters: [{name: c, cluster: {server: "%s"}}]
              users: [{name: u, user: {token: "t"}}]
              contexts: [{name: x, context: {cluster: c, user: u}}]
              """
                  .formatted(url));
      var hasty = SETTINGS.withTimeouts(Duration.ofSeconds(5), Duration.ofMillis(100));
      try (var reader = DirectApiReader.of(access, hasty)) {
        assertThatThrownBy(() -> reader.get("/version"))
            .isInstanceOfSatisfying(
                KubernetesClientException.class,
                failed ->
                    assertThat(ClusterFailure.of(failed).kind())
                        .isEqualTo(ClusterFailure.Kind.TIMEOUT));
      }
    }
  }

  @Test
  void proxies_and_names_for_tls_are_left_to_the_library() {
    assertThat(DirectApiReader.canReach(kubeconfig(with("")))).isTrue();
    assertThat(DirectApiReader.canReach(kubeconfig(with("proxy-url: \"http://proxy:3128\""))))
        .isFalse();
    assertThat(DirectApiReader.canReach(kubeconfig(with("tls-server-name: api.example.com"))))
        .isFalse();
  }

  private static String with(String field) {
    return """
    clusters: [{name: c, cluster: {server: "https://127.0.0.1:1", %s}}]
    users: [{name: u, user: {token: "t"}}]
    contexts: [{name: x, context: {cluster: c, user: u}}]
    """
        .formatted(field);
  }
}

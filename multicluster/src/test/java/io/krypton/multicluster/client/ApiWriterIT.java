// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.krypton.multicluster.cache.ApiFailure;
import io.krypton.multicluster.client.ApiWriter.PatchFormat;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ApiWriterIT {
  private ControlPlane plane;
  private String namespace;
  private KubernetesClient client;
  private ApiWriter api;

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own) {
    plane = home;
    namespace = own.name();
    client = TestClient.of(plane.adminKubeconfig());
    api = new ApiWriter(client);
  }

  @AfterEach
  void close() {
    client.close();
  }

  private String maps() {
    return "api/v1/namespaces/" + namespace + "/configmaps";
  }

  private void create(String name) {
    api.create(maps(), "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
  }

  private ConfigMap stored(String name) {
    return client.configMaps().inNamespace(namespace).withName(name).require();
  }

  @Test
  void what_is_created_can_be_patched_and_comes_back_as_it_is_stored() {
    create("one");
    var path = ApiWriter.pathOf(stored("one"));
    var merged = api.patch(path, PatchFormat.MERGE, "{\"data\":{\"a\":\"1\"}}", ConfigMap.class);
    var applied =
        api.patch(
            path + "?fieldManager=test&force=true",
            PatchFormat.APPLY,
            """
            {"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"one"},"data":{"b":"2"}}
            """,
            ConfigMap.class);

    assertThat(path).isEqualTo(maps() + "/one");
    assertThat(merged.getData()).containsOnlyKeys("a");
    assertThat(applied).isEqualTo(stored("one"));
    assertThat(applied.getData()).containsOnlyKeys("a", "b");
  }

  @Test
  void a_refusal_has_the_code_and_the_words_of_the_server() {
    create("one");

    assertThatThrownBy(() -> create("one"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class,
            refused -> {
              assertThat(refused.getCode()).isEqualTo(409);
              assertThat(refused.getStatus().getReason()).isEqualTo("AlreadyExists");
              assertThat(ApiFailure.of(refused).message())
                  .isEqualTo("configmaps \"one\" already exists");
            })
        .hasMessage("POST /%s: configmaps \"one\" already exists", maps());
  }

  @Test
  void a_server_that_does_not_answer_has_its_time_and_no_more() {
    try (var proxy = plane.proxy();
        var dead = TestClient.of(plane.adminKubeconfig(proxy))) {
      proxy.blackHole();
      var impatient = new ApiWriter(dead, Duration.ofMillis(50));

      assertThatThrownBy(() -> impatient.create(maps(), "{}"))
          .isInstanceOfSatisfying(
              KubernetesClientException.class, late -> assertThat(late.getCode()).isZero())
          .hasMessage("no response within 50 ms");
    }
  }

  @Test
  void who_is_interrupted_waits_no_longer_and_stays_interrupted() {
    Thread.currentThread().interrupt();

    assertThatThrownBy(() -> create("one"))
        .isInstanceOfSatisfying(
            KubernetesClientException.class, stopped -> assertThat(stopped.getCode()).isZero())
        .hasMessageContaining("interrupted");
    assertThat(Thread.interrupted()).isTrue();
  }

  @Test
  void fence_and_counts_hold_as_for_the_librarys_own_requests() {
    var counted = new CopyOnWriteArrayList<String>();
    var kubeconfig =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    try (var clients =
            new ClientFactory(
                (cluster, verb, code) -> counted.add("%s %s %d".formatted(cluster, verb, code)));
        var connection = clients.connect("here", kubeconfig, ClientSettings.remote("test"))) {
      new ApiWriter(connection.client()).create(maps(), "{\"metadata\":{\"name\":\"one\"}}");
      var fenced = new ApiWriter(connection.fenced(() -> false));

      assertThatThrownBy(() -> fenced.create(maps(), "{\"metadata\":{\"name\":\"two\"}}"))
          .isInstanceOf(WriteFence.FencedException.class);
      assertThat(counted).isEqualTo(List.of("here POST 201"));
    }
  }
}

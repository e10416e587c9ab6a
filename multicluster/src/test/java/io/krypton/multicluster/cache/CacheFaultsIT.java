// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.fault.FaultProxy;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Both kinds of cache and a server that is down or has forgotten: afterwards they say what the
 * cluster says. Outages and bad answers: {@code runtime.FaultsIT}.
 */
@ExtendWith(ControlPlaneExtension.class)
@ParameterizedClass(name = "{0}")
@EnumSource(CacheFaultsIT.Kind.class)
class CacheFaultsIT {
  private static final Duration SOON = Duration.ofSeconds(30);

  enum Kind {
    WHOLE,
    METADATA
  }

  private final Kind kind;
  private ControlPlane plane;
  private FaultProxy proxy;
  private KubernetesClient admin;
  private KubernetesClient client;
  private String namespace;
  private ObjectCache<? extends HasMetadata> cache;
  private Follower follower;

  CacheFaultsIT(Kind kind) {
    this.kind = kind;
  }

  @BeforeEach
  void open(@Cluster("west") ControlPlane west, @Cluster("west") TestNamespace own) {
    plane = west;
    namespace = own.name();
    proxy = plane.proxy();
    admin = TestClient.of(plane.adminKubeconfig());
    client = TestClient.of(plane.adminKubeconfig(proxy));
    cache = newCache(client);
    follower = new Follower(namespace);
    cache.subscribe(follower);
  }

  private ObjectCache<? extends HasMetadata> newCache(KubernetesClient client) {
    return switch (kind) {
      case WHOLE -> new InformerCache<>("test/maps", client.configMaps().inNamespace(namespace));
      case METADATA ->
          new MetadataCache(
              "test/maps",
              client,
              MetadataSelection.of(ResourceDefinitionContext.fromResourceType(ConfigMap.class))
                  .inNamespace(namespace),
              Map.of());
    };
  }

  @AfterEach
  void close() {
    cache.close();
    client.close();
    admin.close();
    proxy.close();
  }

  private void put(String name, int value) {
    var map =
        new ConfigMapBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .endMetadata()
            .addToData("value", Integer.toString(value))
            .build();
    admin.resource(map).createOr(existing -> existing.update());
  }

  private void change(int value) {
    for (var i = 0; i < 5; i++) {
      put("map-" + i, value);
    }
    admin.configMaps().inNamespace(namespace).withName("map-" + value % 5).delete();
  }

  private Map<String, String> truth() {
    return versionsOf(admin.configMaps().inNamespace(namespace).list().getItems());
  }

  private static Map<String, String> versionsOf(List<? extends HasMetadata> objects) {
    return objects.stream()
        .map(HasMetadata::getMetadata)
        .collect(
            Collectors.toMap(
                ObjectMeta::getName, ObjectMeta::getResourceVersion, (a, b) -> a, TreeMap::new));
  }

  private void awaitTruth() {
    await()
        .atMost(SOON)
        .untilAsserted(
            () -> {
              assertThat(versionsOf(cache.list())).isEqualTo(truth());
              assertThat(follower.versions()).isEqualTo(truth());
            });
  }

  private void begin() {
    change(0);
    cache.start();
    awaitTruth();
  }

  @Test
  void a_server_that_is_down_at_the_start_is_followed_once_it_is_up() throws Exception {
    proxy.refuse();
    change(1);
    cache.start();
    assertThat(cache.awaitSync(Duration.ofSeconds(2))).isFalse();
    assertThat(cache.isRunning()).isTrue();
    await().until(() -> cache.failure().isPresent());
    proxy.pass();
    assertThat(cache.awaitSync(SOON)).isTrue();
    awaitTruth();
  }

  @Test
  void a_killed_and_restarted_server_that_has_forgotten_our_place_is_listed_anew() {
    begin();
    // What is changed while the cache is away is older than the restarted server's memory: 410.
    proxy.refuse();
    change(1);
    plane.apiServer().kill();
    plane.apiServer().start();
    change(2);
    proxy.pass();
    awaitTruth();
    change(3);
    awaitTruth();
  }
}

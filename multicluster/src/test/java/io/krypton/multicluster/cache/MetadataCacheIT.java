// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.cache;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.PartialObjectMetadata;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.krypton.multicluster.testing.TestClient;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class MetadataCacheIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  private ControlPlane plane;
  private KubernetesClient admin;
  private MetadataSelection secrets;
  private String namespace;

  @BeforeEach
  void open(@Cluster("home") ControlPlane home, @Cluster("home") TestNamespace own) {
    plane = home;
    namespace = own.name();
    admin = TestClient.of(plane.adminKubeconfig());
    secrets =
        MetadataSelection.of(ResourceDefinitionContext.fromResourceType(Secret.class))
            .inNamespace(namespace)
            .withLabels("watched=true");
  }

  @AfterEach
  void close() {
    admin.close();
  }

  private void put(String name, String owner) {
    var secret =
        new SecretBuilder()
            .withNewMetadata()
            .withNamespace(namespace)
            .withName(name)
            .addToLabels("watched", "true")
            .addToAnnotations("owner", owner)
            .endMetadata()
            .addToStringData("password", "hidden")
            .build();
    admin.resource(secret).createOr(existing -> existing.update());
  }

  private static Map<String, Function<PartialObjectMetadata, List<String>>> byOwner() {
    return Map.of("owner", object -> List.of(object.getMetadata().getAnnotations().get("owner")));
  }

  @Test
  void neither_list_nor_watch_carries_anything_but_metadata() throws Exception {
    var tap = new BodyTap();
    put("listed", "a");
    try (var client = TestClient.of(plane.adminKubeconfig(), tap);
        var cache = new MetadataCache("home/secrets", client, secrets, byOwner())) {
      cache.start();
      assertThat(cache.awaitSync(SOON)).isTrue();
      put("watched", "b");
      await().atMost(SOON).until(() -> cache.get(namespace, "watched").isPresent());
      assertThat(tap.received())
          .contains("PartialObjectMetadataList", "listed", "watched")
          // "hidden" in Base64, as the API would send it.
          .doesNotContain("\"data\"", "password\":\"", "aGlkZGVu");
      assertThat(cache.get(namespace, "listed"))
          .get()
          .satisfies(
              secret ->
                  assertThat(secret.getMetadata().getManagedFields())
                      .as("who wrote is kept, which fields is not")
                      .isNotEmpty()
                      .allMatch(writer -> writer.getFieldsV1() == null));
    }
  }

  @Test
  void an_index_follows_changes_and_labels_select() {
    put("one", "a");
    put("two", "a");
    admin.resource(unlabelled()).create();
    try (var client = TestClient.of(plane.adminKubeconfig());
        var cache = new MetadataCache("home/secrets", client, secrets, byOwner())) {
      cache.start();
      await().atMost(SOON).until(() -> cache.byIndex("owner", "a").size() == 2);
      put("two", "b");
      await().atMost(SOON).until(() -> cache.byIndex("owner", "b").size() == 1);
      assertThat(cache.byIndex("owner", "a")).hasSize(1);
      assertThat(cache.list()).hasSize(2);
    }
  }

  private Secret unlabelled() {
    return new SecretBuilder()
        .withNewMetadata()
        .withNamespace(namespace)
        .withName("unlabelled")
        .endMetadata()
        .build();
  }

  @Test
  void a_long_list_is_read_page_by_page() throws Exception {
    for (var i = 0; i < 501; i++) {
      put("secret-" + i, "a");
    }
    try (var client = TestClient.of(plane.adminKubeconfig());
        var cache = new MetadataCache("home/secrets", client, secrets, byOwner())) {
      cache.start();
      assertThat(cache.awaitSync(SOON)).isTrue();
      assertThat(cache.list()).hasSize(501);
    }
    var mark = plane.audit().mark();
    try (var client = TestClient.of(plane.kubeconfigFor("pager", "system:masters"));
        var whole = new InformerCache<>("home/secrets", client.secrets().inNamespace(namespace))) {
      whole.start();
      assertThat(whole.awaitSync(SOON)).isTrue();
      assertThat(whole.list()).hasSize(501);
    }
    assertThat(plane.audit().since(mark).by("pager").withVerb("list").records()).hasSize(2);
  }

  @Test
  void what_we_may_not_see_is_reported_and_nothing_else_happens() {
    try (var client = TestClient.of(plane.kubeconfigFor("nobody"));
        var cache = new MetadataCache("home/secrets", client, secrets, byOwner())) {
      cache.start();
      await().atMost(SOON).until(() -> cache.failure().isPresent());
      assertThat(cache.failure()).get().extracting(ApiFailure::code).isEqualTo(403);
      assertThat(cache.isRunning()).isTrue();
      assertThat(cache.hasSynced()).isFalse();
    }
  }
}

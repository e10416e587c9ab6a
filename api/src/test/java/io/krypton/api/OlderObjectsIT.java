// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.dataformat.yaml.YAMLMapper;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.api.KryptonApi.Finalizers;
import io.krypton.api.tenant.Tenant;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Objects that were stored before our rules existed stay usable once our CRDs are in place. */
@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class OlderObjectsIT {
  private static final List<CustomResourceDefinition> REPLACED =
      List.of(Crds.tenant(), Crds.kryptonDeployment());

  private final Server server;

  OlderObjectsIT(@Cluster("api") ControlPlane plane) {
    server = new Server(plane);
  }

  @BeforeAll
  void storeObjectsUnderTheOlderCrdsAndReplaceThose() throws IOException {
    for (var crd : REPLACED) {
      remove(crd);
      server.install(older(crd));
    }
    server
        .create(
            "Tenant",
            "{metadata: {name: in-default}, spec: {workspace: default, chart: {name: echo}}}")
        .orThrow();
    var olderStatus = "{phase: Error, conditions: [{type: Ready, status: 'False'}]}";
    server.applyStatus("Tenant", "in-default", "original", olderStatus).orThrow();
    server.create("Tenant", "{metadata: {name: kube-old}}").orThrow();
    server.create("Tenant", "{metadata: {name: dotted.old}}").orThrow();
    server
        .create(
            "KryptonDeployment",
            "{metadata: {name: openshift-old}, spec: {account: {name: a}, region: {name: r}}}")
        .orThrow();
    server.create("KryptonDeployment", "{metadata: {name: dotted.old}}").orThrow();
    REPLACED.forEach(this::replace);
    await()
        .atMost(Duration.ofSeconds(20))
        .untilAsserted(
            () ->
                Server.check(
                    server.tryCreate("Tenant", "{metadata: {name: default}}"),
                    "this namespace is reserved"));
  }

  private void remove(CustomResourceDefinition crd) {
    var path = Server.CRDS + crd.getMetadata().getName();
    server.plane().admin().delete(path);
    await()
        .atMost(Duration.ofSeconds(20))
        .pollInterval(Duration.ofMillis(50))
        .until(() -> server.plane().admin().get(path).status() == 404);
  }

  private static CustomResourceDefinition older(CustomResourceDefinition crd) throws IOException {
    var file = "/older/" + crd.getMetadata().getName() + ".yaml";
    try (var yaml = OlderObjectsIT.class.getResourceAsStream(file)) {
      return new YAMLMapper().readValue(yaml, CustomResourceDefinition.class);
    }
  }

  private void replace(CustomResourceDefinition crd) {
    var path = Server.CRDS + crd.getMetadata().getName();
    var stored = server.plane().admin().get(path).orThrow();
    var replacement = (ObjectNode) Json.tree(crd);
    ((ObjectNode) replacement.path("metadata"))
        .set("resourceVersion", stored.at("/metadata/resourceVersion"));
    server.plane().admin().put(path, replacement.toString()).orThrow();
  }

  @Test
  void our_names_are_accepted_in_place_of_the_older_ones() {
    for (var crd : REPLACED) {
      var name = crd.getMetadata().getName();
      await()
          .atMost(Duration.ofSeconds(20))
          .untilAsserted(
              () -> {
                var names = server.plane().admin().get(Server.CRDS + name).orThrow();
                assertThat(names.at("/status/acceptedNames/shortNames/0").asText())
                    .isEqualTo(crd.getSpec().getNames().getShortNames().getFirst());
              });
      assertThat(server.condition(name, "NamesAccepted")).isEqualTo("True");
      assertThat(server.condition(name, "Established")).isEqualTo("True");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "Tenant, in-default",
    "Tenant, kube-old",
    "Tenant, dotted.old",
    "KryptonDeployment, openshift-old"
  })
  void an_older_object_can_be_updated_finalized_and_deleted(String kind, String name) {
    var finalizer = "{metadata: {finalizers: [%s]}}".formatted(Finalizers.TENANT);
    server.mergePatch(kind, name, finalizer).orThrow();
    server.mergePatch(kind, name, "{spec: {suspend: true}}").orThrow();
    server
        .applyStatus(kind, name, "krypton", "{conditions: [{type: Ready, status: 'True'}]}")
        .orThrow();

    server.plane().admin().delete(server.path(kind, name)).orThrow();
    server.mergePatch(kind, name, "{metadata: {finalizers: null}}").orThrow();

    assertThat(server.plane().admin().get(server.path(kind, name)).status()).isEqualTo(404);
  }

  @Test
  void an_older_object_without_what_is_required_now_can_be_deleted_but_not_changed() {
    var path = server.path("KryptonDeployment", "dotted.old");
    var finalizer = "{metadata: {finalizers: [%s]}}".formatted(Finalizers.KRYPTON_DEPLOYMENT);
    Server.check(
        server.mergePatch("KryptonDeployment", "dotted.old", finalizer), "spec: Required value");

    server.plane().admin().delete(path).orThrow();

    assertThat(server.plane().admin().get(path).status()).isEqualTo(404);
  }

  @Test
  void the_chart_of_an_older_tenant_is_dropped_and_its_place_stays() {
    server.create("Tenant", "{metadata: {name: read}, spec: {workspace: ws, chart: {}}}").orThrow();

    var tenant = Json.read(server.get("Tenant", "read").toString(), Tenant.class);

    assertThat(server.get("Tenant", "read").at("/spec/chart").isMissingNode()).isTrue();
    assertThat(tenant.getSpec().workspaceOf("read")).isEqualTo("ws");
    Server.check(
        server.mergePatch("Tenant", "read", "{spec: {workspace: default}}"),
        "spec.workspace is immutable");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.api.model.apiextensions.v1.CustomResourceDefinition;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import java.util.List;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@ExtendWith(ControlPlaneExtension.class)
@TestInstance(Lifecycle.PER_CLASS)
class CrdInstallationIT {
  private static final String SCHEMA = "/spec/versions/0/schema";

  private final Server server;

  CrdInstallationIT(@Cluster("api") ControlPlane plane) {
    server = Server.withCrds(plane);
  }

  static List<CustomResourceDefinition> all() {
    return Crds.all();
  }

  @ParameterizedTest
  @MethodSource("all")
  void the_api_server_accepts_names_and_schema(CustomResourceDefinition crd) {
    var name = crd.getMetadata().getName();

    assertThat(server.condition(name, "NamesAccepted")).isEqualTo("True");
    assertThat(server.condition(name, "Established")).isEqualTo("True");
    assertThat(server.condition(name, "NonStructuralSchema")).isEqualTo("absent");
  }

  @ParameterizedTest
  @MethodSource("all")
  void applying_a_crd_again_changes_nothing(CustomResourceDefinition crd) {
    var path = Server.CRDS + crd.getMetadata().getName();
    var before = server.plane().admin().get(path).orThrow();

    server.install(crd);

    assertThat(server.plane().admin().get(path).orThrow()).isEqualTo(before);
  }

  @ParameterizedTest
  @MethodSource("all")
  void the_server_stores_the_schema_as_it_was_sent(CustomResourceDefinition crd) {
    var stored = server.plane().admin().get(Server.CRDS + crd.getMetadata().getName()).orThrow();

    var sent = Json.tree(crd).at(SCHEMA);
    assertThat(stored.at(SCHEMA).equals(CrdInstallationIT::compare, sent))
        .as("%s was sent as %s", stored.at(SCHEMA), sent)
        .isTrue();
  }

  /** 1 and 1.0 are the same to a schema. */
  private static int compare(JsonNode one, JsonNode other) {
    return one.isNumber() && other.isNumber()
        ? Double.compare(one.doubleValue(), other.doubleValue())
        : one.equals(other) ? 0 : 1;
  }
}

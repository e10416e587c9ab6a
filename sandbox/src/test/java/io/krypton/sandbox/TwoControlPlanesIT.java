// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.UncheckedIOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Started together and not shared, because one of them loses its API server. */
class TwoControlPlanesIT {
  private static final String CRDS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
  private static final String WIDGETS = "/apis/sandbox.example.org/v1/namespaces/default/widgets";

  @Test
  void each_keeps_its_own_objects_even_when_its_api_server_is_killed() {
    var planes =
        ControlPlane.startAll(
            ControlPlane.builder("east").withoutControllerManager(),
            ControlPlane.builder("west").withoutControllerManager());
    try (var east = planes.getFirst();
        var west = planes.getLast()) {
      story(east, west);
    }
  }

  private static void story(ControlPlane east, ControlPlane west) {
    for (var plane : List.of(east, west)) {
      define(plane);
      write(plane, plane.name());
    }
    assertThat(read(east)).isEqualTo("east");
    assertThat(read(west)).isEqualTo("west");

    west.apiServer().kill();
    assertThatThrownBy(() -> read(west)).isInstanceOf(UncheckedIOException.class);
    assertThat(read(east)).isEqualTo("east");

    west.apiServer().start();
    await().untilAsserted(() -> assertThat(read(west)).isEqualTo("west"));
  }

  private static void define(ControlPlane plane) {
    plane
        .admin()
        .post(
            CRDS,
            """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "widgets.sandbox.example.org"},
             "spec": {"group": "sandbox.example.org", "scope": "Namespaced",
               "names": {"plural": "widgets", "kind": "Widget"},
               "versions": [{"name": "v1", "served": true, "storage": true, "schema":
                 {"openAPIV3Schema": {"type": "object", "properties":
                   {"spec": {"type": "object", "properties": {"owner": {"type": "string"}}}}}}}]}}
            """)
        .orThrow();
    await().until(() -> plane.admin().get(WIDGETS).ok());
  }

  private static void write(ControlPlane plane, String owner) {
    plane
        .admin()
        .post(
            WIDGETS,
            """
            {"apiVersion": "sandbox.example.org/v1", "kind": "Widget",
             "metadata": {"name": "one"}, "spec": {"owner": "%s"}}
            """
                .formatted(owner))
        .orThrow();
  }

  private static String read(ControlPlane plane) {
    return plane.admin().get(WIDGETS + "/one").orThrow().at("/spec/owner").textValue();
  }
}

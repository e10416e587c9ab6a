// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.io.IOException;
import java.net.http.HttpRequest;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** An object named {@code cluster} with conditions, on a real API server. */
record KmsObject(ControlPlane plane, String apiVersion, String kind, String plural, String name) {
  static KmsObject kmsHealth(ControlPlane plane) {
    return new KmsObject(plane, "mesh.openkcm.io/v1alpha1", "KmsHealth", "kmshealths", "cluster");
  }

  static void define(ControlPlane plane, Path crd) throws IOException {
    var yaml = Files.readString(crd);
    var name = yaml.lines().filter(line -> line.matches(" +name: \\S+\\.\\S+")).findFirst();
    plane
        .admin()
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/"
                + name.orElseThrow().strip().substring("name: ".length()),
            "e2e",
            yaml)
        .orThrow();
  }

  String path() {
    return "/apis/%s/%s/%s".formatted(apiVersion, plural, name);
  }

  JsonNode read() {
    return plane.admin().get(path()).orThrow();
  }

  String version() {
    return read().at("/metadata/resourceVersion").asText();
  }

  JsonNode condition(String type) {
    for (var condition : read().at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return condition;
      }
    }
    return MissingNode.getInstance();
  }

  /** {@code True/PluginError}, or a slash. */
  String says(String type) {
    var condition = condition(type);
    return condition.path("status").asText() + "/" + condition.path("reason").asText();
  }

  String message(String type) {
    return condition(type).path("message").asText();
  }

  void merge(String patch) {
    send(path(), patch);
  }

  private void send(String path, String patch) {
    var admin = plane.admin();
    admin
        .send(
            admin
                .request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(patch)))
        .orThrow();
  }

  ApiResponse applyStatus(String manager, String status) {
    return plane
        .admin()
        .apply(
            path() + "/status",
            manager,
            """
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s"},"status":%s}
            """
                .formatted(apiVersion, kind, name, status));
  }

  void create() {
    plane
        .admin()
        .apply(
            path(),
            "e2e",
            """
            {"apiVersion":"%s","kind":"%s","metadata":{"name":"%s"},"spec":{}}
            """
                .formatted(apiVersion, kind, name))
        .orThrow();
  }

  /** Names of the Leases of its reporters. */
  List<String> leases(String target) {
    return plane
        .admin()
        .get(
            "/apis/coordination.k8s.io/v1/namespaces/krypton-system/leases"
                + "?labelSelector=mesh.openkcm.io/kms-target="
                + target)
        .orThrow()
        .path("items")
        .valueStream()
        .map(lease -> lease.at("/metadata/name").asText())
        .toList();
  }

  /** Reasons of the events about it. */
  List<String> events() {
    return plane
        .admin()
        .get(
            "/api/v1/namespaces/default/events?fieldSelector=involvedObject.kind=%s"
                .formatted(kind))
        .orThrow()
        .path("items")
        .valueStream()
        .map(event -> event.path("reason").asText())
        .toList();
  }
}

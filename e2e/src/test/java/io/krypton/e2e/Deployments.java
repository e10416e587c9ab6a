// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.sandbox.ControlPlane;
import java.net.http.HttpRequest;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;

/** What users and platform teams would type about KryptonDeployments on their home cluster. */
record Deployments(ControlPlane home) {
  private static final String API =
      "/apis/mesh.openkcm.io/v1alpha1/namespaces/%s/kryptondeployments";

  /** One object, by namespace and name. */
  record Address(String namespace, String name) {
    String path() {
      return API.formatted(namespace) + "/" + name;
    }

    String release() {
      return "ced-" + name;
    }
  }

  Address create(String namespace, String name, String account, String region) {
    home.admin()
        .post(
            API.formatted(namespace),
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"KryptonDeployment","metadata":{"name":"%s"},
             "spec":{"account":{"name":"%s"},"region":%s}}
            """
                .formatted(name, account, region))
        .orThrow();
    return new Address(namespace, name);
  }

  /** A region whose Secret has the usual name. */
  static String region(String name) {
    return "{\"name\":\"%s\"}".formatted(name);
  }

  /** Stores a kubeconfig, new or in place of another. */
  void secret(String namespace, String name, String key, String kubeconfig) {
    var data = Base64.getEncoder().encodeToString(kubeconfig.getBytes(StandardCharsets.UTF_8));
    var secret =
        """
        {"apiVersion":"v1","kind":"Secret","metadata":{"name":"%s"},"data":{"%s":"%s"}}
        """
            .formatted(name, key, data);
    var path = "/api/v1/namespaces/%s/secrets".formatted(namespace);
    var exists = home.admin().get(path + "/" + name).status() == 200;
    (exists ? home.admin().put(path + "/" + name, secret) : home.admin().post(path, secret))
        .orThrow();
  }

  JsonNode status(Address id) {
    return home.admin().get(id.path()).body().path("status");
  }

  boolean isGone(Address id) {
    return home.admin().get(id.path()).status() == 404;
  }

  String phase(Address id) {
    return status(id).path("phase").asText();
  }

  /** {@code Error False/EdgeUnavailable}: the phase, and what condition Ready says. */
  String summary(Address id) {
    var ready = condition(id, "Ready");
    return "%s %s/%s"
        .formatted(phase(id), ready.path("status").asText(), ready.path("reason").asText());
  }

  JsonNode condition(Address id, String type) {
    return status(id)
        .path("conditions")
        .valueStream()
        .filter(condition -> condition.path("type").asText().equals(type))
        .findFirst()
        .orElseThrow(() -> new AssertionError(id + " has no condition " + type));
  }

  String message(Address id) {
    return status(id).path("lastMessage").asText();
  }

  /** {@code Reason: message} of each event, in the order of their making. */
  List<String> events(Address id) {
    return home.admin()
        .get(
            "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name=%s"
                .formatted(id.namespace(), id.name()))
        .body()
        .path("items")
        .valueStream()
        .map(event -> event.path("reason").asText() + ": " + event.path("message").asText())
        .toList();
  }

  /** How often something was told about an object; repetitions are counted in one event. */
  int told(Address id, String reason) {
    return home.admin()
        .get(
            "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name=%s,reason=%s"
                .formatted(id.namespace(), id.name(), reason))
        .body()
        .path("items")
        .valueStream()
        .mapToInt(event -> event.path("count").asInt(1))
        .sum();
  }

  void patch(Address id, String merge) {
    patch(id.path(), merge);
  }

  void patch(String path, String merge) {
    home.admin()
        .send(
            home.admin()
                .request(path)
                .header("Content-Type", "application/merge-patch+json")
                .method("PATCH", HttpRequest.BodyPublishers.ofString(merge)))
        .orThrow();
  }

  void annotate(Address id, String annotation, String value) {
    patch(id, "{\"metadata\":{\"annotations\":{\"%s\":\"%s\"}}}".formatted(annotation, value));
  }

  void delete(Address id) {
    home.admin().delete(id.path()).orThrow();
  }

  static boolean hasNamespace(ControlPlane edge, String namespace) {
    return edge.admin().get("/api/v1/namespaces/" + namespace).status() == 200;
  }
}

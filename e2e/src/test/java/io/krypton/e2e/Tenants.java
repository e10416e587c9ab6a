// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import java.net.http.HttpRequest;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * The Tenants of one namespace on one cluster, as an operator with {@code --watch-namespaces} sees
 * them.
 *
 * @param cluster the name under which the operator knows the cluster
 */
record Tenants(ControlPlane plane, String namespace, String cluster) {
  static final String GROUP = "mesh.openkcm.io/";

  private String path() {
    return "/apis/mesh.openkcm.io/v1alpha1/namespaces/%s/tenants".formatted(namespace);
  }

  void create(String name, String spec) {
    tryCreate(name, spec).orThrow();
  }

  ApiResponse tryCreate(String name, String spec) {
    return tryCreate(name, spec, "{}");
  }

  ApiResponse tryCreate(String name, String spec, String annotations) {
    return plane
        .admin()
        .post(
            path(),
            """
            {"apiVersion":"mesh.openkcm.io/v1alpha1","kind":"Tenant",
             "metadata":{"name":"%s","annotations":%s},"spec":%s}
            """
                .formatted(name, annotations, spec));
  }

  JsonNode get(String name) {
    return plane.admin().get(path() + "/" + name).body();
  }

  boolean exists(String name) {
    return plane.admin().get(path() + "/" + name).status() == 200;
  }

  List<JsonNode> all() {
    return plane.admin().get(path()).orThrow().path("items").valueStream().toList();
  }

  String phase(String name) {
    return get(name).path("status").path("phase").asText();
  }

  String message(String name) {
    return get(name).path("status").path("lastMessage").asText();
  }

  /** {@code True/Installed}, or empty if there is no such condition. */
  String condition(String name, String type) {
    return get(name)
        .path("status")
        .path("conditions")
        .valueStream()
        .filter(it -> it.path("type").asText().equals(type))
        .map(it -> it.path("status").asText() + "/" + it.path("reason").asText())
        .findFirst()
        .orElse("");
  }

  String ready(String name) {
    return condition(name, "ClusterReady/" + cluster);
  }

  String error(String name) {
    return condition(name, "ClusterError/" + cluster);
  }

  void patch(String name, String merge) {
    send("PATCH", path() + "/" + name, merge).orThrow();
  }

  void values(String name, String values) {
    patch(name, "{\"spec\":{\"values\":%s}}".formatted(values));
  }

  void annotate(String name, String annotation, String value) {
    patch(
        name,
        "{\"metadata\":{\"annotations\":{\"%s%s\":\"%s\"}}}".formatted(GROUP, annotation, value));
  }

  void delete(String name) {
    plane.admin().delete(path() + "/" + name).orThrow();
  }

  /** Reasons of the events on a Tenant with how often each was told. */
  Map<String, Integer> events(String name) {
    var counts = new TreeMap<String, Integer>();
    eventList(name)
        .forEach(
            event ->
                counts.merge(
                    event.path("reason").asText(), event.path("count").asInt(1), Integer::sum));
    return counts;
  }

  List<JsonNode> eventList(String name) {
    return plane
        .admin()
        .get(
            "/api/v1/namespaces/%s/events?fieldSelector=involvedObject.name=%s"
                .formatted(namespace, name))
        .orThrow()
        .path("items")
        .valueStream()
        .toList();
  }

  String release(String tenant) {
    return "tenant-" + tenant + "-" + cluster;
  }

  /** Statuses of the revisions, oldest first, of a Tenant whose namespace has its own name. */
  List<String> revisions(String tenant) {
    return Fleet.revisions(plane, tenant, release(tenant));
  }

  /** Any object by its path; a missing node if it does not exist. */
  JsonNode object(String path) {
    var answer = plane.admin().get(path);
    return answer.status() == 404 ? JsonNodeFactory.instance.missingNode() : answer.orThrow();
  }

  ApiResponse change(String path, String merge) {
    return send("PATCH", path, merge);
  }

  private ApiResponse send(String method, String path, String body) {
    var api = plane.admin();
    return api.send(
        api.request(path)
            .header("Content-Type", "application/merge-patch+json")
            .method(method, HttpRequest.BodyPublishers.ofString(body)));
  }
}

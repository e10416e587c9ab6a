// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * What the operator writes about a release that is quickly made, without an operator: an object of
 * the same type with its finalizer, its status, its annotation, and its events. Copied from a
 * Tenant that the operator brought to Ready, into a group that nobody watches.
 */
public final class OperatorWrites {
  private static final String CRD =
      "charts/krypton-operator/files/crds/tenants.mesh.openkcm.io.yaml";
  private static final String GROUP = "mesh.openkcm.io";
  private static final String COPY = "ledger.openkcm.io";
  private static final String PATH = "/apis/%s/v1alpha1/namespaces/default/tenants";
  private static final String EVENTS = "/api/v1/namespaces/default/events";
  private static final int EVENTS_OF_A_TENANT = 5;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ControlPlane plane;
  private final String example;
  private final JsonNode tenant;
  private final List<JsonNode> events;

  private OperatorWrites(
      ControlPlane plane, String example, JsonNode tenant, List<JsonNode> events) {
    this.plane = plane;
    this.example = example;
    this.tenant = tenant;
    this.events = List.copyOf(events);
  }

  /** Takes its words from a Tenant that is ready; waits for what is told of that one last. */
  public static OperatorWrites copyOf(ControlPlane plane, String example) throws Exception {
    serveCopy(plane);
    var tenant = plane.admin().get(PATH.formatted(GROUP) + "/" + example).orThrow();
    var uid = tenant.at("/metadata/uid").asText();
    Polling.until("its events", () -> eventsOf(plane, uid).size() == EVENTS_OF_A_TENANT);
    return new OperatorWrites(plane, example, tenant, eventsOf(plane, uid));
  }

  private static void serveCopy(ControlPlane plane) throws Exception {
    var copy =
        Files.readString(Path.of(CRD))
            .replace("name: tenants." + GROUP, "name: tenants." + COPY)
            .replace("group: " + GROUP, "group: " + COPY);
    plane
        .admin()
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/tenants." + COPY,
            "bench",
            copy)
        .orThrow();
    Polling.until("the copy is served", () -> plane.admin().get(PATH.formatted(COPY)).ok());
  }

  private static List<JsonNode> eventsOf(ControlPlane plane, String uid) {
    var selector = "?fieldSelector=involvedObject.uid=" + uid;
    var found = new ArrayList<JsonNode>();
    plane.admin().get(EVENTS + selector).orThrow().path("items").forEach(found::add);
    // Told only where the installation took its time.
    found.removeIf(event -> event.path("message").asText().equals("Pending"));
    return found;
  }

  /** Everything up to the start of Helm. */
  public void writeBeforeHelm(String name) {
    var created = plane.admin().post(PATH.formatted(COPY), start(name).toString()).orThrow();
    ObjectNode held = created.deepCopy();
    ((ObjectNode) held.path("metadata")).set("finalizers", tenant.at("/metadata/finalizers"));
    plane.admin().put(path(name), held.toString()).orThrow();
  }

  /** Everything after the end of Helm. */
  public void writeAfterHelm(String name) {
    ObjectNode live = plane.admin().get(path(name)).orThrow().deepCopy();
    ((ObjectNode) live.path("metadata")).set("annotations", tenant.at("/metadata/annotations"));
    plane.admin().put(path(name), live.toString()).orThrow();
    apply(name, tenant.path("status"));
  }

  /** The events, which the operator tells when there is time for them. */
  public void writeEvents(String name) {
    for (var event : events) {
      ObjectNode copy = (ObjectNode) about(name, event);
      copy.putObject("metadata").put("namespace", "default").put("generateName", name + ".");
      plane.admin().post(EVENTS, copy.toString()).orThrow();
    }
  }

  private ObjectNode start(String name) {
    var object = JSON.createObjectNode();
    object.put("apiVersion", COPY + "/v1alpha1").put("kind", "Tenant");
    object.putObject("metadata").put("name", name);
    object.putObject("spec");
    return object;
  }

  private void apply(String name, JsonNode status) {
    var object = start(name);
    object.remove("spec");
    object.set("status", about(name, status));
    plane.admin().apply(path(name) + "/status", "krypton-bench", object.toString()).orThrow();
  }

  private JsonNode about(String name, JsonNode words) {
    try {
      return JSON.readTree(words.toString().replace(example, name));
    } catch (IOException e) {
      throw new UncheckedIOException("a copy of JSON is JSON", e);
    }
  }

  private static String path(String name) {
    return PATH.formatted(COPY) + "/" + name;
  }
}

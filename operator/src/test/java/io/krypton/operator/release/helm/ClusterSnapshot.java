// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.operator.release.decide.ReleaseSecret;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.util.Base64;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPInputStream;

/**
 * All that a release has left in a namespace and on its cluster, as a text without what differs
 * each time: times, UIDs, versions of objects, the name of the namespace, and what controllers add.
 */
record ClusterSnapshot(TestNamespace namespace, String release) {
  /** What the charts under test make outside of namespaces. */
  static final List<String> CLUSTER_SCOPED =
      List.of(
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/gadgets.compare.example.test",
          "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/widgets.example.test",
          "/apis/rbac.authorization.k8s.io/v1/clusterroles/shared-widgets-reader");

  private static final List<String> NAMESPACED =
      List.of(
          "/api/v1/namespaces/%s/configmaps",
          "/api/v1/namespaces/%s/services",
          "/api/v1/namespaces/%s/serviceaccounts",
          "/api/v1/namespaces/%s/pods",
          "/apis/apps/v1/namespaces/%s/deployments",
          "/apis/batch/v1/namespaces/%s/jobs",
          "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/roles",
          "/apis/rbac.authorization.k8s.io/v1/namespaces/%s/rolebindings",
          "/apis/compare.example.test/v1/namespaces/%s/gadgets");

  /** Made by controllers for each namespace, a moment after it. */
  private static final Set<String> OF_THE_NAMESPACE = Set.of("kube-root-ca.crt", "default");

  private static final Set<String> DIFFERENT_EACH_TIME =
      Set.of(
          "creationTimestamp",
          "uid",
          "resourceVersion",
          "time",
          "modifiedAt",
          "first_deployed",
          "last_deployed",
          "started_at",
          "completed_at",
          "deleted",
          "lastTransitionTime",
          "clusterIP",
          "clusterIPs",
          "deployment.kubernetes.io/revision");

  private static final ObjectMapper JSON =
      new ObjectMapper().enable(SerializationFeature.INDENT_OUTPUT);

  String take() throws IOException {
    var all = JSON.createArrayNode();
    for (var path : NAMESPACED) {
      var list = namespace.controlPlane().admin().get(path.formatted(namespace.name()));
      if (list.ok()) {
        list.orThrow().path("items").forEach(object -> addMade(all, (ObjectNode) object));
      }
    }
    for (var path : CLUSTER_SCOPED) {
      var object = namespace.controlPlane().admin().get(path);
      if (object.ok()) {
        addMade(all, (ObjectNode) object.orThrow());
      }
    }
    var selector = "?labelSelector=owner%3Dhelm,name%3D" + release;
    var secrets = namespace.path() + "/secrets" + selector;
    for (var secret : namespace.controlPlane().admin().get(secrets).orThrow().path("items")) {
      all.add(unpacked((ObjectNode) secret));
    }
    all.forEach(ClusterSnapshot::strip);
    return JSON.writeValueAsString(all).replace(namespace.name(), "NAMESPACE");
  }

  /** Without the part of controllers in it. */
  private static void addMade(ArrayNode all, ObjectNode object) {
    if (OF_THE_NAMESPACE.contains(object.at("/metadata/name").asText())) {
      return;
    }
    object.remove("status");
    if (object.at("/metadata/managedFields") instanceof ArrayNode fields) {
      fields.removeIf(it -> it.path("manager").asText().startsWith("kube-"));
    }
    all.add(object);
  }

  /** With the payload as a tree. */
  private static ObjectNode unpacked(ObjectNode secret) throws IOException {
    var data = (ObjectNode) secret.path("data");
    var packed = data.path(ReleaseSecret.PAYLOAD_KEY).asText();
    var zipped = Base64.getDecoder().decode(Base64.getDecoder().decode(packed));
    try (var json = new GZIPInputStream(new ByteArrayInputStream(zipped))) {
      data.set(ReleaseSecret.PAYLOAD_KEY, JSON.readTree(json));
    }
    return secret;
  }

  private static void strip(JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.remove(DIFFERENT_EACH_TIME);
    }
    node.forEach(ClusterSnapshot::strip);
  }
}

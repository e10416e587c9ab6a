// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;
import java.util.function.LongSupplier;

/**
 * Which status fields the served CRD has. An older definition of a custom resource may lack some of
 * ours; server-side apply then fails as a whole (with 500, and without storing the rest), so they
 * have to be left out.
 */
final class ServedSchema {
  /** After this time the next write tries all fields again: the definition may be newer now. */
  private static final Duration MAX_AGE = Duration.ofMinutes(10);

  private record Unknown(Set<String> paths, long learnedAt) {}

  private final KubernetesClient client;
  private final LongSupplier nanoTime;
  private volatile Unknown unknown;

  ServedSchema(KubernetesClient client, LongSupplier nanoTime) {
    this.client = client;
    this.nanoTime = nanoTime;
    this.unknown = new Unknown(Set.of(), nanoTime.getAsLong());
  }

  boolean isStale() {
    var age = Duration.ofNanos(nanoTime.getAsLong() - unknown.learnedAt());
    return !unknown.paths().isEmpty() && age.compareTo(MAX_AGE) > 0;
  }

  /** Asks the server for its schema; true if it lacks fields that this object has. */
  boolean lacksFieldsOf(HasMetadata object, JsonNode status) {
    var missing = new HashSet<String>();
    collectMissing("", fetch(object), status, missing);
    var lacksSome = !missing.isEmpty();
    // Each object shows only the fields it has: what others have shown to be missing still is.
    if (lacksSome && !isStale()) {
      missing.addAll(unknown.paths());
    }
    unknown = new Unknown(Set.copyOf(missing), nanoTime.getAsLong());
    return lacksSome;
  }

  /** A copy without the fields that the server does not know. */
  JsonNode pruned(JsonNode status) {
    var copy = status.deepCopy();
    removeUnknown("", copy);
    return copy;
  }

  private void removeUnknown(String path, JsonNode node) {
    if (node instanceof ObjectNode object) {
      object.properties().removeIf(field -> unknown.paths().contains(path + "." + field.getKey()));
      object
          .properties()
          .forEach(field -> removeUnknown(path + "." + field.getKey(), field.getValue()));
    }
    if (node.isArray()) {
      node.forEach(item -> removeUnknown(path + "[]", item));
    }
  }

  private JsonNode fetch(HasMetadata object) {
    var version = object.getApiVersion();
    var root = version.contains("/") ? "/openapi/v3/apis/" : "/openapi/v3/api/";
    var document = client.raw(root + version);
    return client
        .getKubernetesSerialization()
        .unmarshal(document, JsonNode.class)
        .at("/components/schemas")
        .valueStream()
        .filter(schema -> isOf(object.getKind(), schema))
        .findFirst()
        .map(schema -> schema.at("/properties/status"))
        .orElseThrow(
            () ->
                new IllegalStateException(
                    "no OpenAPI schema of " + version + " " + object.getKind()));
  }

  private static boolean isOf(String kind, JsonNode schema) {
    return schema
        .path("x-kubernetes-group-version-kind")
        .valueStream()
        .anyMatch(type -> type.path("kind").asText().equals(kind));
  }

  private static void collectMissing(
      String path, JsonNode schema, JsonNode value, Set<String> missing) {
    if (value.isArray()) {
      value.forEach(item -> collectMissing(path + "[]", schema.path("items"), item, missing));
    }
    var properties = schema.path("properties");
    if (!value.isObject() || properties.isMissingNode()) {
      return;
    }
    value
        .propertyStream()
        .forEach(
            field -> {
              var child = path + "." + field.getKey();
              if (properties.has(field.getKey())) {
                collectMissing(child, properties.path(field.getKey()), field.getValue(), missing);
              } else if (!schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
                missing.add(child);
              }
            });
  }
}

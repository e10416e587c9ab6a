// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.inventory;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.operator.release.values.Yaml;
import io.krypton.operator.release.values.Yaml.RepeatedKey;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The objects of a rendered chart, hooks excluded. */
public record Manifest(List<ManifestObject> objects) {
  private static final JsonMapper JSON = new JsonMapper();

  public Manifest {
    objects = List.copyOf(objects);
  }

  /** Either the objects or why the text cannot be read. */
  public sealed interface Parsed {
    record Intact(Manifest manifest) implements Parsed {}

    record Unreadable(String reason) implements Parsed {}
  }

  /** Reads the text as Helm did when it applied it: of a repeated key the last one wins. */
  public static Parsed parse(String text) {
    return switch (Yaml.read(text, RepeatedKey.LAST_WINS)) {
      case Yaml.Malformed(String message) -> new Parsed.Unreadable(message);
      case Yaml.Documents(List<Object> documents) -> ofDocuments(documents);
    };
  }

  private static Parsed ofDocuments(List<Object> documents) {
    var objects = new ArrayList<ManifestObject>();
    for (var document : documents) {
      JsonNode node = JSON.valueToTree(document);
      var members = isList(node) ? node.path("items").valueStream().toList() : List.of(node);
      for (var member : members) {
        if (!isObject(member)) {
          return new Parsed.Unreadable("a document is not a Kubernetes object");
        }
        objects.add(object((ObjectNode) member));
      }
    }
    return new Parsed.Intact(new Manifest(objects));
  }

  private static boolean isList(JsonNode node) {
    return node.path("kind").asText().endsWith("List") && node.path("items").isArray();
  }

  private static boolean isObject(JsonNode node) {
    return node.isObject()
        && node.path("apiVersion").isTextual()
        && node.path("kind").isTextual()
        && node.path("metadata").path("name").isTextual();
  }

  private static ManifestObject object(ObjectNode node) {
    var namespace = node.path("metadata").path("namespace").asText("");
    return new ManifestObject(
        node.path("apiVersion").asText(),
        node.path("kind").asText(),
        namespace.isEmpty() ? null : namespace,
        node.path("metadata").path("name").asText(),
        node);
  }

  /**
   * One object as the chart rendered it.
   *
   * @param namespace null if the chart names none: the release's, or none for cluster-scoped kinds
   * @param content may hold Secrets, so it is not part of {@code toString}
   */
  public record ManifestObject(
      String apiVersion, String kind, @Nullable String namespace, String name, ObjectNode content) {

    public ManifestObject {
      content = content.deepCopy();
    }

    @Override
    public ObjectNode content() {
      return content.deepCopy();
    }

    @Override
    public String toString() {
      return namespace == null ? kind + "/" + name : kind + "/" + namespace + "/" + name;
    }
  }
}

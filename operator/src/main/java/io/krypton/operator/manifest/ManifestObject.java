package io.krypton.operator.manifest;

import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

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

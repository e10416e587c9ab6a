// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.kubeconfig;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import org.jspecify.annotations.Nullable;

/** The cluster and the user that one context of a kubeconfig leads to; the rest is ignored. */
record SelectedContext(ObjectNode cluster, ObjectNode user) {

  /** The wanted context; else the current-context, or the only one if none is current. */
  static SelectedContext select(ObjectNode root, @Nullable String wanted)
      throws KubeconfigException {
    var context = context(root, wanted);
    var cluster = reference(context, "cluster");
    var user = context.path("user").asText("");
    return new SelectedContext(
        entry(root, "clusters", "cluster", cluster),
        user.isEmpty()
            ? JsonNodeFactory.instance.objectNode()
            : entry(root, "users", "user", user));
  }

  private static ObjectNode context(ObjectNode root, @Nullable String wanted)
      throws KubeconfigException {
    var name = wanted == null ? root.path("current-context").asText("") : wanted;
    if (!name.isEmpty()) {
      return entry(root, "contexts", "context", name);
    }
    var contexts = root.path("contexts");
    if (contexts.isObject()) {
      throw new KubeconfigException(
          "contexts must be a list; write each context as an entry of it");
    }
    if (contexts.size() == 1 && contexts.get(0).path("context") instanceof ObjectNode only) {
      return only;
    }
    throw new KubeconfigException(
        contexts.isEmpty()
            ? "kubeconfig has no contexts; add one and name it in current-context"
            : "kubeconfig has several contexts and no current-context; set current-context");
  }

  private static String reference(ObjectNode context, String field) throws KubeconfigException {
    var name = context.path(field).asText("");
    if (name.isEmpty()) {
      throw new KubeconfigException(
          "the context names no " + field + "; set contexts[].context." + field);
    }
    return name;
  }

  private static ObjectNode entry(JsonNode root, String list, String field, String name)
      throws KubeconfigException {
    ObjectNode found = null;
    for (var entry : root.path(list)) {
      if (!name.equals(entry.path("name").asText(null))) {
        continue;
      }
      if (found != null) {
        throw new KubeconfigException(
            list + " holds two entries of the name in use; remove or rename one");
      }
      if (!(entry.path(field) instanceof ObjectNode body)) {
        throw new KubeconfigException(
            list + "[]." + field + " of the context in use is not a mapping; write its fields");
      }
      found = body;
    }
    if (found == null) {
      throw new KubeconfigException(
          list + " has no entry of the name in use; correct the context or add the entry");
    }
    return found;
  }
}

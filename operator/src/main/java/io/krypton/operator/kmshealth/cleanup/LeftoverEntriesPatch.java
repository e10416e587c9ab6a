// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import java.util.List;

/**
 * The JSON patch that removes a node's entries whoever owns them. Each removal is guarded by tests,
 * so that it hits what was looked at or nothing. Pure.
 */
final class LeftoverEntriesPatch {
  private static final List<List<String>> TYPED_LISTS =
      List.of(
          List.of("status", "encryptionStatus"),
          List.of("status", "oauthAPIServer", "encryptionStatus"));
  private static final String REPORTS = "healthReports";

  private LeftoverEntriesPatch() {}

  /** Empty if the node has no entry. */
  static ArrayNode of(JsonNode object, String node) {
    var patch = JsonNodeFactory.instance.arrayNode();
    var removals = JsonNodeFactory.instance.arrayNode();
    conditions(object, node, removals);
    TYPED_LISTS.forEach(path -> typed(object, path, node, removals));
    if (!removals.isEmpty()) {
      test(patch, "/metadata/resourceVersion", object.at("/metadata/resourceVersion"));
      patch.addAll(removals);
    }
    return patch;
  }

  private static void conditions(JsonNode object, String node, ArrayNode patch) {
    var type = KmsHealthConditionTypes.reporter(node);
    var list = object.at("/status/conditions");
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.path(i).path("type").asText().equals(type)) {
        test(patch, "/status/conditions/" + i + "/type", list.path(i).path("type"));
        remove(patch, "/status/conditions/" + i);
      }
    }
  }

  /** Highest index first. A list that must not be empty goes with its parent, if it may. */
  private static void typed(JsonNode object, List<String> path, String node, ArrayNode patch) {
    var parent = "/" + String.join("/", path);
    var holder = object.at(parent);
    var list = holder.path(REPORTS);
    var own =
        list.valueStream().filter(entry -> entry.path("nodeName").asText().equals(node)).count();
    if (own == 0) {
      return;
    }
    var prefix = parent + "/" + REPORTS;
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.path(i).path("nodeName").asText().equals(node)) {
        test(patch, prefix + "/" + i + "/nodeName", list.path(i).path("nodeName"));
        test(patch, prefix + "/" + i + "/keyID", list.path(i).path("keyID"));
        if (own < list.size()) {
          remove(patch, prefix + "/" + i);
        }
      }
    }
    if (own == list.size()) {
      remove(patch, holder.size() == 1 ? parent : prefix);
    }
  }

  private static void test(ArrayNode patch, String path, JsonNode value) {
    patch.addObject().put("op", "test").put("path", path).set("value", value);
  }

  private static void remove(ArrayNode patch, String path) {
    patch.addObject().put("op", "remove").put("path", path);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.cleanup;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The JSON patch that removes what one field manager owns of a status, and leaves an empty status
 * rather than none. Pure.
 */
final class OwnedFieldsPatch {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String FIELD = "f:";
  private static final String KEY = "k:";
  private static final String SELF = ".";

  private OwnedFieldsPatch() {}

  /** Empty if the manager owns nothing that is there. */
  static ArrayNode of(JsonNode object, String manager) {
    var patch = JsonNodeFactory.instance.arrayNode();
    for (var entry : object.at("/metadata/managedFields")) {
      if (manager.equals(entry.path("manager").asText())
          && "status".equals(entry.path("subresource").asText())
          && "Apply".equals(entry.path("operation").asText())) {
        var paths = new ArrayList<String>();
        members(object.path("status"), entry.at("/fieldsV1/f:status"), "/status", paths);
        if (!paths.isEmpty()) {
          patch
              .addObject()
              .put("op", "test")
              .put("path", "/metadata/resourceVersion")
              .set("value", object.at("/metadata/resourceVersion"));
          paths.forEach(path -> patch.addObject().put("op", "remove").put("path", path));
        }
      }
    }
    return patch;
  }

  /** Adds the members of an object that go; answers whether all of them do. */
  private static boolean members(JsonNode value, JsonNode owned, String path, List<String> paths) {
    var gone = 0;
    for (var field : value.properties()) {
      var its = owned.path(FIELD + field.getKey());
      if (!its.isMissingNode() && goes(field.getValue(), its, path + "/" + field.getKey(), paths)) {
        gone++;
      }
    }
    return gone == value.size();
  }

  /** Answers whether the whole value goes, and adds its path or those of the parts that go. */
  private static boolean goes(JsonNode value, JsonNode owned, String path, List<String> paths) {
    var parts = new ArrayList<String>();
    boolean whole =
        owned.isEmpty()
            || (value.isObject() && members(value, owned, path, parts))
            || (value.isArray() && items(value, owned, path, parts));
    if (whole) {
      paths.add(path);
    } else {
      paths.addAll(parts);
    }
    return whole;
  }

  /** Highest index first, so that no removal moves what is still to be removed. */
  private static boolean items(JsonNode list, JsonNode owned, String path, List<String> paths) {
    var indexes = new ArrayList<Integer>();
    for (var entry : owned.properties()) {
      if (entry.getKey().startsWith(KEY) && entry.getValue().has(SELF)) {
        var key = key(entry.getKey());
        for (int i = 0; i < list.size(); i++) {
          if (has(list.path(i), key)) {
            indexes.add(i);
          }
        }
      }
    }
    indexes.sort(Collections.reverseOrder());
    indexes.forEach(index -> paths.add(path + "/" + index));
    return indexes.size() == list.size();
  }

  private static JsonNode key(String text) {
    try {
      return JSON.readTree(text.substring(KEY.length()));
    } catch (JsonProcessingException malformed) {
      throw new IllegalArgumentException("managed fields with the key " + text, malformed);
    }
  }

  private static boolean has(JsonNode item, JsonNode key) {
    return key.properties().stream()
        .allMatch(field -> field.getValue().equals(item.path(field.getKey())));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;
import java.util.stream.Stream;

/** Compares the desired status with the live one. Pure. */
final class StatusComparison {
  private StatusComparison() {}

  /**
   * Whether {@code live} says all of {@code wanted}. What others added does not matter.
   *
   * @param owned the fields that are ours according to the server; they distinguish atomic lists
   *     from those that several writers share
   */
  static boolean covers(JsonNode live, JsonNode wanted, JsonNode owned) {
    if (wanted.isObject() && live.isObject()) {
      return wanted.propertyStream().allMatch(field -> coversField(live, field, owned));
    }
    if (wanted.isArray() && live.isArray() && isShared(wanted, owned)) {
      return wanted.valueStream().allMatch(item -> hasItem(live, item));
    }
    return same(live, wanted);
  }

  private static boolean coversField(
      JsonNode live, Map.Entry<String, JsonNode> field, JsonNode owned) {
    return covers(live.path(field.getKey()), field.getValue(), owned.path("f:" + field.getKey()));
  }

  private static boolean hasItem(JsonNode live, JsonNode wanted) {
    return live.valueStream().anyMatch(item -> covers(item, wanted, MissingNode.getInstance()));
  }

  /** As the server has noted it; what it has not noted yet is shared if it is a list of objects. */
  private static boolean isShared(JsonNode wanted, JsonNode owned) {
    return owned.isMissingNode()
        ? wanted.path(0).isObject()
        : owned
            .propertyStream()
            .map(Map.Entry::getKey)
            .anyMatch(key -> key.startsWith("k:") || key.startsWith("v:"));
  }

  private static boolean same(JsonNode a, JsonNode b) {
    return (a.isNumber() && b.isNumber())
        ? a.decimalValue().compareTo(b.decimalValue()) == 0
        : a.equals(b);
  }

  /**
   * Reads the set of fields that the server has noted for a field manager ({@code fieldsV1}). Keys
   * are {@code f:name} for a field, {@code k:{…}} for a list item by its keys, {@code v:…} for a
   * set item; {@code .} is the thing itself.
   */
  static final class OwnedFields {
    private static final ObjectMapper JSON = new ObjectMapper();

    private OwnedFields() {}

    /** Whether we own a field that is not in {@code wanted}: it would have to be removed. */
    static boolean exceed(JsonNode owned, JsonNode wanted) {
      return owned.properties().stream().anyMatch(field -> exceeds(field, wanted));
    }

    private static boolean exceeds(Map.Entry<String, JsonNode> field, JsonNode wanted) {
      var key = field.getKey();
      if (key.startsWith("f:")) {
        var child = wanted.path(key.substring(2));
        return child.isMissingNode() || exceed(field.getValue(), child);
      }
      if (key.startsWith("k:")) {
        return itemsWith(parse(key.substring(2)), wanted)
            .allMatch(item -> exceed(field.getValue(), item));
      }
      if (key.startsWith("v:")) {
        var value = parse(key.substring(2));
        return wanted.valueStream().noneMatch(value::equals);
      }
      return false;
    }

    /** None if the list lacks such an item; then everything matches, and the field exceeds. */
    private static Stream<JsonNode> itemsWith(JsonNode keys, JsonNode list) {
      return list.valueStream()
          .filter(
              item ->
                  keys.properties().stream()
                      .allMatch(key -> key.getValue().equals(item.path(key.getKey()))));
    }

    private static JsonNode parse(String json) {
      try {
        return JSON.readTree(json);
      } catch (JsonProcessingException impossible) {
        throw new IllegalArgumentException("not a fieldsV1 key: " + json, impossible);
      }
    }
  }
}

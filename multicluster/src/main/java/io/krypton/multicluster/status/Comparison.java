package io.krypton.multicluster.status;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.MissingNode;
import java.util.Map;

/** Compares what we want to say with what an object says. Pure. */
final class Comparison {
  private Comparison() {}

  /**
   * Whether {@code live} says all of {@code wanted}. What others added does not matter.
   *
   * @param owned the fields that are ours according to the server; it tells lists that are written
   *     as a whole from those that several writers share
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
}

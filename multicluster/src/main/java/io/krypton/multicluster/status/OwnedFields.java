package io.krypton.multicluster.status;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.Map;
import java.util.stream.Stream;

/**
 * Reads the set of fields that the server has noted for a field manager ({@code fieldsV1}). Keys
 * are {@code f:name} for a field, {@code k:{…}} for a list item by its keys, {@code v:…} for a set
 * item; {@code .} is the thing itself.
 */
final class OwnedFields {
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

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.List;

/** Every state that an object had from a moment on, none left out. */
final class KmsHistory {
  private final KmsObject object;
  private final List<JsonNode> states = new ArrayList<>();
  private long seen;

  KmsHistory(KmsObject object) {
    this.object = object;
    var first = object.read();
    this.seen = version(first);
    states.add(first);
  }

  /** Takes in what has happened until now; to be called before the server forgets. */
  List<JsonNode> upToNow() {
    var now = version(object.read());
    while (seen < now) {
      var path = object.path().replaceFirst("/[^/]+$", "");
      for (var event : object.plane().admin().watch(path, Long.toString(seen))) {
        if (!event.path("type").asText().equals("MODIFIED")) {
          throw new AssertionError("the history has a gap: " + event);
        }
        states.add(event.path("object"));
        seen = version(event.path("object"));
      }
    }
    return List.copyOf(states);
  }

  /** {@code True/Converged: message} in a state; empty if it has no such condition. */
  static String says(JsonNode state, String type) {
    for (var condition : state.at("/status/conditions")) {
      if (condition.path("type").asText().equals(type)) {
        return "%s/%s: %s"
            .formatted(
                condition.path("status").asText(),
                condition.path("reason").asText(),
                condition.path("message").asText());
      }
    }
    return "";
  }

  private static long version(JsonNode state) {
    return Long.parseLong(state.at("/metadata/resourceVersion").asText());
  }
}

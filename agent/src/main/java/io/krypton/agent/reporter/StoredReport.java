package io.krypton.agent.reporter;

import com.fasterxml.jackson.databind.JsonNode;
import io.krypton.agent.report.ConditionFormat;
import java.util.ArrayList;
import java.util.List;

/** What an object says about one node, in whichever form. */
record StoredReport(List<JsonNode> parts) {
  private static final List<String> TYPED_LISTS =
      List.of(
          "/status/encryptionStatus/healthReports",
          "/status/oauthAPIServer/encryptionStatus/healthReports");

  StoredReport {
    parts = List.copyOf(parts);
  }

  static StoredReport in(JsonNode object, String node) {
    var parts = new ArrayList<JsonNode>();
    var type = ConditionFormat.typeFor(node);
    object
        .at("/status/conditions")
        .valueStream()
        .filter(condition -> condition.path("type").asText().equals(type))
        .forEach(parts::add);
    for (var list : TYPED_LISTS) {
      object
          .at(list)
          .valueStream()
          .filter(entry -> entry.path("nodeName").asText().equals(node))
          .forEach(parts::add);
    }
    return new StoredReport(parts);
  }
}

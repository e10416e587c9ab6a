package io.krypton.operator.kmshealth.report;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads {@code [{"keyID":"2","status":"healthy",…}]}. */
final class JsonForm {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private JsonForm() {}

  static NodeReport read(String node, String message) {
    JsonNode list;
    try {
      list = JSON.readTree(message);
    } catch (JsonProcessingException broken) {
      return NodeReport.malformed(node, message);
    }
    if (!list.isArray() || list.isEmpty() || list.size() > ReportReader.MOST_PLUGINS) {
      return NodeReport.malformed(node, message);
    }
    var plugins = new ArrayList<PluginReport>();
    for (var entry : list) {
      var keyId = KeyId.parse(entry.path("keyID").asText());
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return NodeReport.of(node, plugins, message);
  }

  private static PluginReport plugin(KeyId keyId, JsonNode entry) {
    var reported =
        switch (entry.path("status").asText()) {
          case "healthy" -> Reported.HEALTHY;
          case "unhealthy" -> Reported.UNHEALTHY;
          case "error" -> Reported.ERROR;
          default -> Reported.MALFORMED;
        };
    var lastChecked = LineForm.time(entry.path("lastChecked").asText());
    return reported == Reported.MALFORMED || lastChecked == null
        ? PluginReport.malformed(keyId, Form.JSON)
        : new PluginReport(
            keyId,
            reported,
            lastChecked,
            text(entry, "kekID"),
            null,
            null,
            text(entry, "detail"),
            Form.JSON,
            null,
            null,
            null);
  }

  private static @Nullable String text(JsonNode entry, String field) {
    var text = entry.path(field).asText("");
    return text.isEmpty() ? null : text;
  }
}

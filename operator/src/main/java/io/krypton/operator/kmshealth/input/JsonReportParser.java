package io.krypton.operator.kmshealth.input;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Format;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.ReportedStatus;
import java.util.ArrayList;
import org.jspecify.annotations.Nullable;

/** Reads {@code [{"keyID":"2","status":"healthy",…}]}. */
final class JsonReportParser {
  private static final JsonMapper JSON =
      JsonMapper.builder().enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS).build();

  private JsonReportParser() {}

  static ParsedNodeReport parse(String node, String message) {
    JsonNode list;
    try {
      list = JSON.readTree(message);
    } catch (JsonProcessingException broken) {
      return ParsedNodeReport.malformed(node, message);
    }
    if (!list.isArray() || list.isEmpty() || list.size() > ReportParser.MOST_PLUGINS) {
      return ParsedNodeReport.malformed(node, message);
    }
    var plugins = new ArrayList<ParsedPluginReport>();
    for (var entry : list) {
      var keyId = KeyId.parse(entry.path("keyID").asText());
      if (keyId.isEmpty()) {
        return ParsedNodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return ParsedNodeReport.of(node, plugins, message);
  }

  private static ParsedPluginReport plugin(KeyId keyId, JsonNode entry) {
    var reportedStatus =
        switch (entry.path("status").asText()) {
          case "healthy" -> ReportedStatus.HEALTHY;
          case "unhealthy" -> ReportedStatus.UNHEALTHY;
          case "error" -> ReportedStatus.ERROR;
          default -> ReportedStatus.MALFORMED;
        };
    var lastChecked = LineReportParser.time(entry.path("lastChecked").asText());
    return reportedStatus == ReportedStatus.MALFORMED || lastChecked == null
        ? ParsedPluginReport.malformed(keyId, Format.JSON)
        : new ParsedPluginReport(
            keyId,
            reportedStatus,
            lastChecked,
            text(entry, "kekID"),
            null,
            null,
            text(entry, "detail"),
            Format.JSON,
            null,
            null,
            null);
  }

  private static @Nullable String text(JsonNode entry, String field) {
    var text = entry.path(field).asText("");
    return text.isEmpty() ? null : text;
  }
}

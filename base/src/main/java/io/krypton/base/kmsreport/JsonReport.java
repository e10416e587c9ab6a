// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code [{"keyID":"2","status":"healthy",…}]}, the message of an early form of reporters.
 * Nobody writes it any more.
 */
final class JsonReport {
  private JsonReport() {}

  static NodeReport read(String node, String message) {
    List<Map<String, String>> entries;
    try {
      entries = JsonObjects.parse(message);
    } catch (JsonObjects.MalformedException broken) {
      return NodeReport.malformed(node, message);
    }
    if (entries.isEmpty() || entries.size() > ReportLimits.MAX_PLUGINS) {
      return NodeReport.malformed(node, message);
    }
    var plugins = new ArrayList<PluginReport>();
    for (var entry : entries) {
      var keyId = KeyId.parse(entry.getOrDefault("keyID", ""));
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return NodeReport.read(node, plugins, message);
  }

  private static PluginReport plugin(KeyId keyId, Map<String, String> entry) {
    var health =
        switch (entry.getOrDefault("status", "")) {
          case "healthy" -> ReportedHealth.HEALTHY;
          case "unhealthy" -> ReportedHealth.UNHEALTHY;
          case "error" -> ReportedHealth.ERROR;
          default -> ReportedHealth.MALFORMED;
        };
    var lastChecked = ReportTimes.parse(entry.getOrDefault("lastChecked", ""));
    return health == ReportedHealth.MALFORMED || lastChecked == null
        ? PluginReport.malformed(keyId)
        : new PluginReport(
            keyId,
            health,
            lastChecked,
            text(entry, "kekID"),
            null,
            text(entry, "detail"),
            null,
            null,
            null,
            null);
  }

  private static @Nullable String text(Map<String, String> entry, String field) {
    var text = entry.getOrDefault(field, "");
    return text.isEmpty() ? null : text;
  }
}

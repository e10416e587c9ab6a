package io.krypton.operator.kmshealth.report;

import io.krypton.api.time.GoDuration;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code keyID=2 status=healthy lastChecked=…} lines. The detail takes the rest of its line,
 * so nothing in it can pass for a field.
 */
final class LineForm {
  private static final String DETAIL = "detail";

  private LineForm() {}

  static NodeReport read(String node, String message) {
    var plugins = new ArrayList<PluginReport>();
    for (var line : lines(message)) {
      var fields = fields(line);
      var keyId = KeyId.parse(fields.getOrDefault("keyID", ""));
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), fields));
    }
    return plugins.isEmpty() || plugins.size() > ReportReader.MOST_PLUGINS
        ? NodeReport.malformed(node, message)
        : NodeReport.of(node, plugins, message);
  }

  /** Only LF ends a line: whoever can put another control character into a detail gets no line. */
  private static List<String> lines(String message) {
    return Arrays.stream(message.split("\n", -1))
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .filter(line -> !line.isBlank())
        .limit(ReportReader.MOST_PLUGINS + 1L)
        .toList();
  }

  /** Of a field that is named twice the first counts. */
  static Map<String, String> fields(String line) {
    var fields = new HashMap<String, String>();
    var at = 0;
    while (at < line.length()) {
      if (line.charAt(at) == ' ') {
        at++;
        continue;
      }
      if (line.startsWith(DETAIL + "=", at)) {
        fields.putIfAbsent(DETAIL, line.substring(at + DETAIL.length() + 1));
        return fields;
      }
      var space = line.indexOf(' ', at);
      var end = space < 0 ? line.length() : space;
      var equals = line.indexOf('=', at);
      if (equals >= 0 && equals < end) {
        fields.putIfAbsent(line.substring(at, equals), line.substring(equals + 1, end));
      }
      at = end;
    }
    return fields;
  }

  private static PluginReport plugin(KeyId keyId, Map<String, String> fields) {
    var reported =
        switch (fields.getOrDefault("status", "")) {
          case "healthy" -> Reported.HEALTHY;
          case "unhealthy" -> Reported.UNHEALTHY;
          case "unreachable" -> Reported.ERROR;
          default -> Reported.MALFORMED;
        };
    var lastChecked = time(fields.getOrDefault("lastChecked", ""));
    if (reported == Reported.MALFORMED || lastChecked == null) {
      return PluginReport.malformed(keyId, Form.LINES);
    }
    return new PluginReport(
        keyId,
        reported,
        lastChecked,
        PercentDecoding.decode(fields.getOrDefault("remoteKeyID", "")).orElse(null),
        fields.get("cause"),
        interval(fields.getOrDefault("interval", "")),
        fields.get(DETAIL),
        Form.LINES,
        role(fields.getOrDefault("role", "")),
        LeaseName.parse(fields.getOrDefault("lease", "")).orElse(null),
        OldKeys.parse(fields.getOrDefault("oldKeys", "")).orElse(null));
  }

  private static @Nullable Role role(String word) {
    return switch (word) {
      case "write" -> Role.WRITE;
      case "read" -> Role.READ;
      default -> null;
    };
  }

  static @Nullable Instant time(String text) {
    try {
      return OffsetDateTime.parse(text).toInstant();
    } catch (DateTimeException unreadable) {
      return null;
    }
  }

  private static @Nullable Duration interval(String text) {
    var duration = GoDuration.parse(text);
    return duration == null || !duration.value().isPositive() ? null : duration.value();
  }
}

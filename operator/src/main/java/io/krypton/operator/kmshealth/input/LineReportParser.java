package io.krypton.operator.kmshealth.input;

import io.krypton.api.time.JsonDuration;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Format;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.LeaseRef;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.ReportedStatus;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Role;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.UnreadableOldKeys;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads {@code keyID=2 status=healthy lastChecked=…} lines. The detail takes the rest of its line,
 * so nothing in it can pass for a field.
 */
final class LineReportParser {
  private static final String DETAIL = "detail";

  private LineReportParser() {}

  static ParsedNodeReport parse(String node, String message) {
    var plugins = new ArrayList<ParsedPluginReport>();
    for (var line : lines(message)) {
      var fields = fields(line);
      var keyId = KeyId.parse(fields.getOrDefault("keyID", ""));
      if (keyId.isEmpty()) {
        return ParsedNodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), fields));
    }
    return plugins.isEmpty() || plugins.size() > ReportParser.MOST_PLUGINS
        ? ParsedNodeReport.malformed(node, message)
        : ParsedNodeReport.of(node, plugins, message);
  }

  /** Only LF ends a line: whoever can put another control character into a detail gets no line. */
  private static List<String> lines(String message) {
    return Arrays.stream(message.split("\n", -1))
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .filter(line -> !line.isBlank())
        .limit(ReportParser.MOST_PLUGINS + 1L)
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

  private static ParsedPluginReport plugin(KeyId keyId, Map<String, String> fields) {
    var reportedStatus =
        switch (fields.getOrDefault("status", "")) {
          case "healthy" -> ReportedStatus.HEALTHY;
          case "unhealthy" -> ReportedStatus.UNHEALTHY;
          case "unreachable" -> ReportedStatus.ERROR;
          default -> ReportedStatus.MALFORMED;
        };
    var lastChecked = time(fields.getOrDefault("lastChecked", ""));
    if (reportedStatus == ReportedStatus.MALFORMED || lastChecked == null) {
      return ParsedPluginReport.malformed(keyId, Format.LINES);
    }
    return new ParsedPluginReport(
        keyId,
        reportedStatus,
        lastChecked,
        PercentDecoding.decode(fields.getOrDefault("remoteKeyID", "")).orElse(null),
        fields.get("cause"),
        interval(fields.getOrDefault("interval", "")),
        fields.get(DETAIL),
        Format.LINES,
        role(fields.getOrDefault("role", "")),
        LeaseRef.parse(fields.getOrDefault("lease", "")).orElse(null),
        UnreadableOldKeys.parse(fields.getOrDefault("oldKeys", "")).orElse(null));
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
    var duration = JsonDuration.parse(text);
    return duration == null || !duration.value().isPositive() ? null : duration.value();
  }

  /** Reads a remote key id, in which all but a few characters are written as {@code %XX}. */
  static final class PercentDecoding {
    private static final int LONGEST = 1024;

    private PercentDecoding() {}

    /** Empty if there is no id, or none that a plugin could have. */
    static Optional<String> decode(String text) {
      var bytes = new ByteArrayOutputStream();
      for (int i = 0; i < text.length(); i++) {
        char c = text.charAt(i);
        if (c == '%') {
          if (i + 2 >= text.length() || !isHex(text.charAt(i + 1)) || !isHex(text.charAt(i + 2))) {
            return Optional.empty();
          }
          bytes.write(Integer.parseInt(text, i + 1, i + 3, 16));
          i += 2;
        } else {
          bytes.writeBytes(String.valueOf(c).getBytes(StandardCharsets.UTF_8));
        }
      }
      return bytes.size() == 0 || bytes.size() > LONGEST
          ? Optional.empty()
          : utf8(bytes.toByteArray());
    }

    private static boolean isHex(char c) {
      return Character.digit(c, 16) >= 0 && c < 128;
    }

    private static Optional<String> utf8(byte[] bytes) {
      try {
        return Optional.of(
            StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString());
      } catch (CharacterCodingException notText) {
        return Optional.empty();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.krypton.base.text.GoDuration;
import io.krypton.base.text.Percent;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A report as the message of a condition: a line for each plugin, newest key id first, each a row
 * of {@code key=value}. The detail is last and takes the rest of its line, because it alone may
 * hold spaces; so nothing in it can pass for a field.
 */
public final class LineReport {
  private static final String DETAIL = "detail";
  private static final String ELLIPSIS = "...";

  private LineReport() {}

  /**
   * The whole condition, by field names.
   *
   * @param lastTransition since when it has had its status
   */
  public static Map<String, String> condition(NodeReport report, Instant lastTransition) {
    var condition = new LinkedHashMap<String, String>();
    condition.put("type", ReportNames.conditionType(report.node()));
    condition.put("status", report.outcome().status());
    condition.put("lastTransitionTime", ReportTimes.format(lastTransition));
    condition.put("reason", report.outcome().reason());
    condition.put("message", write(report));
    return condition;
  }

  /**
   * Within the limit of the API: details are shortened first, then left out, then remote key ids
   * become hashes.
   */
  public static String write(NodeReport report) {
    return Stream.<UnaryOperator<PluginReport>>of(
            plugin -> plugin,
            plugin -> plugin.withDetail(shortened(plugin.detail())),
            plugin -> plugin.withDetail(null),
            PluginReport::abridged)
        .map(fit -> lines(report, fit))
        .filter(message -> message.length() <= ReportLimits.MAX_WRITTEN_MESSAGE)
        .findFirst()
        .orElseGet(() -> lines(report, PluginReport::abridged));
  }

  private static String lines(NodeReport report, UnaryOperator<PluginReport> fit) {
    return new ArrayList<>(report.plugins().values())
        .reversed().stream().map(fit).map(LineReport::line).collect(Collectors.joining("\n"));
  }

  /** One plugin as one line. */
  public static String line(PluginReport plugin) {
    var line = new StringBuilder("keyID=").append(plugin.keyId());
    append(line, "status", statusOf(plugin.health()));
    append(line, "lastChecked", formatted(plugin.lastChecked()));
    append(line, "remoteKeyID", encoded(plugin.remoteKeyId()));
    append(line, "cause", plugin.cause());
    append(line, "role", roleOf(plugin.role()));
    append(line, "interval", formatted(plugin.interval()));
    append(line, "lease", plugin.lease() == null ? null : plugin.lease().toString());
    append(
        line, "oldKeys", plugin.unreadableKeys() == null ? null : plugin.unreadableKeys().format());
    append(line, DETAIL, plugin.detail());
    return line.toString();
  }

  private static void append(StringBuilder line, String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      line.append(' ').append(key).append('=').append(value);
    }
  }

  private static String statusOf(ReportedHealth health) {
    return switch (health) {
      case HEALTHY -> "healthy";
      case UNHEALTHY -> "unhealthy";
      case ERROR -> "unreachable";
      case MALFORMED -> throw new IllegalArgumentException("what cannot be read is not written");
    };
  }

  private static @Nullable String roleOf(@Nullable ReportedRole role) {
    return switch (role) {
      case null -> null;
      case WRITE -> "write";
      case READ -> "read";
    };
  }

  private static @Nullable String encoded(@Nullable String remoteKeyId) {
    return remoteKeyId == null ? null : Percent.encode(remoteKeyId, Percent.ID_MARKS);
  }

  private static @Nullable String formatted(@Nullable Instant time) {
    return time == null ? null : ReportTimes.format(time);
  }

  private static @Nullable String formatted(@Nullable Duration interval) {
    return interval == null ? null : GoDuration.compact(interval);
  }

  private static @Nullable String shortened(@Nullable String detail) {
    if (detail == null || detail.codePointCount(0, detail.length()) <= ReportLimits.SHORT_DETAIL) {
      return detail;
    }
    int kept = detail.offsetByCodePoints(0, ReportLimits.SHORT_DETAIL - ELLIPSIS.length());
    return detail.substring(0, kept) + ELLIPSIS;
  }

  static NodeReport read(String node, String message) {
    var plugins = new ArrayList<PluginReport>();
    for (var line : nonBlankLines(message)) {
      var fields = fields(line);
      var keyId = KeyId.parse(fields.getOrDefault("keyID", ""));
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, message);
      }
      plugins.add(plugin(keyId.get(), fields));
    }
    return plugins.isEmpty() || plugins.size() > ReportLimits.MAX_PLUGINS
        ? NodeReport.malformed(node, message)
        : NodeReport.read(node, plugins, message);
  }

  /** Only LF ends a line: whoever can put another control character into a detail gets no line. */
  private static List<String> nonBlankLines(String message) {
    return Arrays.stream(message.split("\n", -1))
        .map(line -> line.endsWith("\r") ? line.substring(0, line.length() - 1) : line)
        .filter(line -> !line.isBlank())
        .limit(ReportLimits.MAX_PLUGINS + 1L)
        .toList();
  }

  /** Of a field that is named twice the first counts. */
  private static Map<String, String> fields(String line) {
    var fields = new HashMap<String, String>();
    int at = 0;
    while (at < line.length()) {
      if (line.startsWith(DETAIL + "=", at)) {
        fields.put(DETAIL, line.substring(at + DETAIL.length() + 1));
        return fields;
      }
      int space = line.indexOf(' ', at);
      int end = space < 0 ? line.length() : space;
      int equals = line.indexOf('=', at);
      if (equals >= 0 && equals < end) {
        fields.putIfAbsent(line.substring(at, equals), line.substring(equals + 1, end));
      }
      at = end + 1;
    }
    return fields;
  }

  private static PluginReport plugin(KeyId keyId, Map<String, String> fields) {
    var health =
        switch (fields.getOrDefault("status", "")) {
          case "healthy" -> ReportedHealth.HEALTHY;
          case "unhealthy" -> ReportedHealth.UNHEALTHY;
          case "unreachable" -> ReportedHealth.ERROR;
          default -> ReportedHealth.MALFORMED;
        };
    var lastChecked = ReportTimes.parse(fields.getOrDefault("lastChecked", ""));
    if (health == ReportedHealth.MALFORMED || lastChecked == null) {
      return PluginReport.malformed(keyId);
    }
    return new PluginReport(
        keyId,
        health,
        lastChecked,
        remoteKeyId(fields.getOrDefault("remoteKeyID", "")).orElse(null),
        fields.get("cause"),
        fields.get(DETAIL),
        role(fields.getOrDefault("role", "")),
        UnreadableKeys.parse(fields.getOrDefault("oldKeys", "")).orElse(null),
        interval(fields.getOrDefault("interval", "")).orElse(null),
        LeaseName.parse(fields.getOrDefault("lease", "")).orElse(null));
  }

  /** Empty if there is no id, or none that a plugin could have. */
  private static Optional<String> remoteKeyId(String text) {
    return Percent.decode(text)
        .filter(id -> !id.isEmpty())
        .filter(id -> id.getBytes(UTF_8).length <= ReportLimits.MAX_REMOTE_KEY_ID);
  }

  private static @Nullable ReportedRole role(String text) {
    return switch (text) {
      case "write" -> ReportedRole.WRITE;
      case "read" -> ReportedRole.READ;
      default -> null;
    };
  }

  private static Optional<Duration> interval(String text) {
    return GoDuration.parse(text).filter(Duration::isPositive);
  }
}

package io.krypton.agent.reporter.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.settings.FlagDuration;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * A report as one condition whose message has a line per plugin, each a row of {@code key=value}.
 * The detail is always last, because it alone may hold spaces.
 */
public final class ConditionFormat {
  private static final String TYPE_PREFIX = "KMSHealthReporter_";
  private static final int MAX_MESSAGE = 32_000;
  private static final int SHORT_DETAIL = 64;

  private ConditionFormat() {}

  public static String typeFor(String nodeName) {
    return TYPE_PREFIX + nodeName;
  }

  public static ObjectNode condition(NodeHealthReport report, Instant lastTransition) {
    var condition = JsonNodeFactory.instance.objectNode();
    condition.put("type", typeFor(report.nodeName()));
    condition.put("status", report.conditionState().status());
    condition.put("lastTransitionTime", Timestamps.seconds(lastTransition));
    condition.put("reason", report.conditionState().reason());
    condition.put("message", message(report));
    return condition;
  }

  /** Within the limit of the API: details are shortened first, then left out. */
  static String message(NodeHealthReport report) {
    var full = message(report, detail -> detail);
    if (full.length() <= MAX_MESSAGE) {
      return full;
    }
    var shorter = message(report, ConditionFormat::shorten);
    return shorter.length() <= MAX_MESSAGE ? shorter : message(report, detail -> "");
  }

  /** One plugin as one line, as it also appears on the node's own health page. */
  public static String line(PluginHealthReport plugin, Duration interval, @Nullable String lease) {
    return line(plugin, interval, lease, detail -> detail);
  }

  private static String message(NodeHealthReport report, UnaryOperator<String> fit) {
    return report.plugins().stream()
        .map(plugin -> line(plugin, report.interval(), report.lease(), fit))
        .collect(Collectors.joining("\n"));
  }

  private static String line(
      PluginHealthReport plugin,
      Duration interval,
      @Nullable String lease,
      UnaryOperator<String> fit) {
    var line = new StringBuilder();
    line.append("keyID=").append(plugin.keyId());
    line.append(" status=").append(format(plugin.health()));
    line.append(" lastChecked=").append(Timestamps.seconds(plugin.lastChecked()));
    var remoteKeyId = plugin.remoteKeyId();
    if (remoteKeyId != null) {
      append(line, "remoteKeyID", KeyIdEncoding.encode(remoteKeyId));
    }
    append(line, "cause", plugin.cause());
    append(line, "role", format(plugin.role()));
    append(line, "interval", FlagDuration.format(interval));
    append(line, "lease", lease);
    append(line, "oldKeys", oldKeys(plugin.unreadableOldKeys()));
    var detail = plugin.detail();
    append(line, "detail", detail == null ? null : fit.apply(detail));
    return line.toString();
  }

  private static String format(HealthClass health) {
    return switch (health) {
      case HEALTHY -> "healthy";
      case UNHEALTHY -> "unhealthy";
      case ERROR -> "unreachable";
    };
  }

  private static @Nullable String format(@Nullable ProviderRole role) {
    return role == null ? null : role.name().toLowerCase(Locale.ROOT);
  }

  /** The value may not hold spaces, so the hashes come without their prefix, in one list. */
  private static @Nullable String oldKeys(List<String> hashes) {
    return hashes.isEmpty()
        ? null
        : hashes.stream()
            .map(hash -> hash.substring(hash.indexOf(':') + 1))
            .collect(Collectors.joining(",", "unreadable:", ""));
  }

  private static void append(StringBuilder line, String key, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      line.append(' ').append(key).append('=').append(value);
    }
  }

  private static String shorten(String detail) {
    if (detail.codePointCount(0, detail.length()) <= SHORT_DETAIL) {
      return detail;
    }
    return detail.substring(0, detail.offsetByCodePoints(0, SHORT_DETAIL - 3)) + "...";
  }

  /** Percent-encodes a remote key id, so that it has no space and no line break. */
  static final class KeyIdEncoding {
    private static final String PLAIN_MARKS = "-._~:/@+,=";

    private KeyIdEncoding() {}

    static String encode(String text) {
      var encoded = new StringBuilder();
      for (byte b : text.getBytes(StandardCharsets.UTF_8)) {
        char c = (char) (b & 0xff);
        if (isPlain(c)) {
          encoded.append(c);
        } else {
          encoded.append("%%%02X".formatted((int) c));
        }
      }
      return encoded.toString();
    }

    private static boolean isPlain(char c) {
      return (c >= 'a' && c <= 'z')
          || (c >= 'A' && c <= 'Z')
          || (c >= '0' && c <= '9')
          || PLAIN_MARKS.indexOf(c) >= 0;
    }
  }

  /** Times as Kubernetes stores them in conditions: UTC, whole seconds. */
  static final class Timestamps {
    private Timestamps() {}

    static String seconds(Instant time) {
      return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
  }
}

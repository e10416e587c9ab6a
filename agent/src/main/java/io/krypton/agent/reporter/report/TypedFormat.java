package io.krypton.agent.reporter.report;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.krypton.agent.reporter.report.ConditionFormat.Timestamps;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.HealthClass;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report as typed list entries, one per plugin. */
public final class TypedFormat {
  /** Stands where the schema insists on a remote key id and none was seen yet. */
  static final String UNKNOWN_KEY_ID = "unknown";

  private TypedFormat() {}

  /** The shapes of the list. */
  public enum Schema {
    /** {@code KmsHealth}: knows all that we have to say, and a missing remote key id. */
    KMS_HEALTH,
    /** {@code KmsHealth} of an earlier release: no role, no Lease, no unreadable keys. */
    EARLIER_KMS_HEALTH,
    /** {@code operator.openshift.io}: refuses fields it does not know. */
    OPENSHIFT
  }

  public static List<ObjectNode> entries(NodeHealthReport report, Schema schema) {
    return report.plugins().stream()
        // OpenShift has no way to say "healthy, without a key id": left out, it counts as unknown.
        .filter(
            plugin ->
                schema != Schema.OPENSHIFT
                    || plugin.remoteKeyId() != null
                    || plugin.health() != HealthClass.HEALTHY)
        .map(plugin -> entry(report, plugin, schema))
        .toList();
  }

  private static ObjectNode entry(
      NodeHealthReport report, PluginHealthReport plugin, Schema schema) {
    var entry = JsonNodeFactory.instance.objectNode();
    entry.put("nodeName", report.nodeName());
    entry.put("keyID", plugin.keyId().toString());
    entry.put("status", format(plugin.health()));
    entry.put("lastCheckedTime", Timestamps.seconds(plugin.lastChecked()));
    putIfPresent(entry, "remoteKeyID", plugin.remoteKeyId());
    putIfPresent(entry, "detail", plugin.detail());
    switch (schema) {
      case KMS_HEALTH -> {
        putCauseAndInterval(entry, report, plugin);
        putIfPresent(entry, "role", format(plugin.role()));
        putIfPresent(entry, "lease", report.lease());
        if (!plugin.unreadableOldKeys().isEmpty()) {
          var hashes = entry.putArray("unreadableOldKeys");
          plugin.unreadableOldKeys().forEach(hashes::add);
        }
      }
      case EARLIER_KMS_HEALTH -> putCauseAndInterval(entry, report, plugin);
      case OPENSHIFT -> {
        if (plugin.remoteKeyId() == null) {
          entry.put("remoteKeyID", UNKNOWN_KEY_ID);
        }
      }
    }
    return entry;
  }

  private static void putCauseAndInterval(
      ObjectNode entry, NodeHealthReport report, PluginHealthReport plugin) {
    putIfPresent(entry, "cause", plugin.cause());
    entry.put("intervalSeconds", wholeSeconds(report.interval()));
  }

  private static @Nullable String format(@Nullable ProviderRole role) {
    return switch (role) {
      case null -> null;
      case WRITE -> "Write";
      case READ -> "Read";
    };
  }

  private static String format(HealthClass health) {
    return switch (health) {
      case HEALTHY -> "Healthy";
      case UNHEALTHY -> "Unhealthy";
      case ERROR -> "Error";
    };
  }

  private static void putIfPresent(ObjectNode entry, String field, @Nullable String value) {
    if (value != null && !value.isEmpty()) {
      entry.put(field, value);
    }
  }

  private static long wholeSeconds(Duration interval) {
    return interval.plusNanos(999_999_999).toSeconds();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.kmsreport;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** A report as entries of the typed list, one for each plugin, newest key id first. */
public final class TypedReport {
  /** Stands where OpenShift's schema insists on an id and the reporter has seen none yet. */
  private static final String UNKNOWN_KEY_ID = "unknown";

  private TypedReport() {}

  /** The shapes of the list. */
  public enum Schema {
    /** {@code KmsHealth}: knows all that we have to say, and a missing remote key id. */
    KMS_HEALTH,
    /** {@code KmsHealth} of an earlier release: no role, no Lease, no unreadable keys. */
    EARLIER_KMS_HEALTH,
    /** {@code operator.openshift.io}: refuses fields that it does not know. */
    OPENSHIFT
  }

  public static List<TypedEntry> write(NodeReport report, Schema schema) {
    return new ArrayList<>(report.plugins().values())
        .reversed().stream()
            // OpenShift cannot say "healthy, without a key id": left out, it counts as unknown.
            .filter(
                plugin ->
                    schema != Schema.OPENSHIFT
                        || plugin.remoteKeyId() != null
                        || plugin.health() != ReportedHealth.HEALTHY)
            .map(plugin -> entry(report.node(), plugin, schema))
            .toList();
  }

  private static TypedEntry entry(String node, PluginReport plugin, Schema schema) {
    boolean ours = schema != Schema.OPENSHIFT;
    boolean current = schema == Schema.KMS_HEALTH;
    var remoteKeyId = plugin.remoteKeyId();
    var lease = plugin.lease();
    var unreadable = plugin.unreadableKeys();
    return new TypedEntry(
        node,
        plugin.keyId().toString(),
        statusOf(plugin.health()),
        plugin.lastChecked(),
        remoteKeyId == null && !ours ? UNKNOWN_KEY_ID : remoteKeyId,
        plugin.detail(),
        ours ? plugin.cause() : null,
        ours ? secondsOf(plugin.interval()) : null,
        current ? roleOf(plugin.role()) : null,
        current && lease != null ? lease.toString() : null,
        current && unreadable != null
            ? unreadable.hashes().stream()
                .map(KeyHash::text)
                .limit(ReportLimits.MAX_TYPED_UNREADABLE_KEYS)
                .toList()
            : List.of());
  }

  private static String statusOf(ReportedHealth health) {
    return switch (health) {
      case HEALTHY -> "Healthy";
      case UNHEALTHY -> "Unhealthy";
      case ERROR -> "Error";
      case MALFORMED -> throw new IllegalArgumentException("what cannot be read is not written");
    };
  }

  private static @Nullable String roleOf(@Nullable ReportedRole role) {
    return switch (role) {
      case null -> null;
      case WRITE -> "Write";
      case READ -> "Read";
    };
  }

  /** Rounded up, because the schema wants at least one. */
  private static @Nullable Integer secondsOf(@Nullable Duration interval) {
    return interval == null ? null : Math.toIntExact(interval.plusNanos(999_999_999).toSeconds());
  }

  /** Reads the entries that one node has. */
  static NodeReport read(String node, List<TypedEntry> entries) {
    var plugins = new ArrayList<PluginReport>();
    for (var entry : entries) {
      var keyId = KeyId.parse(entry.keyID());
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, entries.toString());
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return NodeReport.read(node, plugins, entries.toString());
  }

  private static PluginReport plugin(KeyId keyId, TypedEntry entry) {
    var health =
        switch (entry.status()) {
          case "Healthy" -> ReportedHealth.HEALTHY;
          case "Unhealthy" -> ReportedHealth.UNHEALTHY;
          case "Error" -> ReportedHealth.ERROR;
          case null, default -> ReportedHealth.MALFORMED;
        };
    if (health == ReportedHealth.MALFORMED || entry.lastCheckedTime() == null) {
      return PluginReport.malformed(keyId);
    }
    return new PluginReport(
        keyId,
        health,
        entry.lastCheckedTime(),
        UNKNOWN_KEY_ID.equals(entry.remoteKeyID()) ? null : entry.remoteKeyID(),
        entry.cause(),
        entry.detail(),
        role(entry.role()),
        entry.unreadableOldKeys().isEmpty()
            ? null
            : UnreadableKeys.named(entry.unreadableOldKeys().stream()),
        interval(entry.intervalSeconds()),
        entry.lease() == null ? null : LeaseName.parse(entry.lease()).orElse(null));
  }

  private static @Nullable ReportedRole role(@Nullable String text) {
    return switch (text) {
      case "Write" -> ReportedRole.WRITE;
      case "Read" -> ReportedRole.READ;
      case null, default -> null;
    };
  }

  private static @Nullable Duration interval(@Nullable Integer seconds) {
    return seconds == null || seconds < 1 ? null : Duration.ofSeconds(seconds);
  }
}

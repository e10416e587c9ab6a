package io.krypton.operator.kmshealth.input;

import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.HealthReport.PluginRole;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Format;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.LeaseRef;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.ReportedStatus;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.Role;
import io.krypton.operator.kmshealth.input.ParsedPluginReport.UnreadableOldKeys;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the entries that one node has in the typed list. */
final class TypedReportParser {
  /** Stands where OpenShift's schema insists on an id and the reporter has seen none yet. */
  private static final String UNKNOWN_KEY_ID = "unknown";

  private TypedReportParser() {}

  static ParsedNodeReport parse(String node, List<HealthReport> entries) {
    var plugins = new ArrayList<ParsedPluginReport>();
    for (var entry : entries) {
      var keyId = KeyId.parse(entry.keyID());
      if (keyId.isEmpty()) {
        return ParsedNodeReport.malformed(node, entries.toString());
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return ParsedNodeReport.of(node, plugins, entries.toString());
  }

  private static ParsedPluginReport plugin(KeyId keyId, HealthReport entry) {
    var status = entry.status();
    var lastChecked = entry.lastCheckedTime();
    if (status == null || lastChecked == null) {
      return ParsedPluginReport.malformed(keyId, Format.TYPED);
    }
    var reportedStatus =
        switch (status) {
          case HEALTHY -> ReportedStatus.HEALTHY;
          case UNHEALTHY -> ReportedStatus.UNHEALTHY;
          case ERROR -> ReportedStatus.ERROR;
        };
    return new ParsedPluginReport(
        keyId,
        reportedStatus,
        lastChecked,
        UNKNOWN_KEY_ID.equals(entry.remoteKeyID()) ? null : entry.remoteKeyID(),
        entry.cause(),
        interval(entry.intervalSeconds()),
        entry.detail(),
        Format.TYPED,
        role(entry.role()),
        entry.lease() == null ? null : LeaseRef.parse(entry.lease()).orElse(null),
        entry.unreadableOldKeys().isEmpty()
            ? null
            : UnreadableOldKeys.named(entry.unreadableOldKeys().stream()));
  }

  private static @Nullable Role role(@Nullable PluginRole role) {
    return switch (role) {
      case WRITE -> Role.WRITE;
      case READ -> Role.READ;
      case null -> null;
    };
  }

  private static @Nullable Duration interval(@Nullable Integer seconds) {
    return seconds == null || seconds < 1 ? null : Duration.ofSeconds(seconds);
  }
}

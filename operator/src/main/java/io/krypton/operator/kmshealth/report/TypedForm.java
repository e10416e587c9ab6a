package io.krypton.operator.kmshealth.report;

import io.krypton.api.kmshealth.HealthReport;
import io.krypton.api.kmshealth.PluginRole;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Reads the entries that one node has in the typed list. */
final class TypedForm {
  /** Stands where OpenShift's schema insists on an id and the reporter has seen none yet. */
  private static final String UNKNOWN_KEY_ID = "unknown";

  private TypedForm() {}

  static NodeReport read(String node, List<HealthReport> entries) {
    var plugins = new ArrayList<PluginReport>();
    for (var entry : entries) {
      var keyId = KeyId.parse(entry.keyID());
      if (keyId.isEmpty()) {
        return NodeReport.malformed(node, entries.toString());
      }
      plugins.add(plugin(keyId.get(), entry));
    }
    return NodeReport.of(node, plugins, entries.toString());
  }

  private static PluginReport plugin(KeyId keyId, HealthReport entry) {
    var status = entry.status();
    var lastChecked = entry.lastCheckedTime();
    if (status == null || lastChecked == null) {
      return PluginReport.malformed(keyId, Form.TYPED);
    }
    var reported =
        switch (status) {
          case HEALTHY -> Reported.HEALTHY;
          case UNHEALTHY -> Reported.UNHEALTHY;
          case ERROR -> Reported.ERROR;
        };
    return new PluginReport(
        keyId,
        reported,
        lastChecked,
        UNKNOWN_KEY_ID.equals(entry.remoteKeyID()) ? null : entry.remoteKeyID(),
        entry.cause(),
        interval(entry.intervalSeconds()),
        entry.detail(),
        Form.TYPED,
        role(entry.role()),
        entry.lease() == null ? null : LeaseName.parse(entry.lease()).orElse(null),
        entry.unreadableOldKeys().isEmpty()
            ? null
            : OldKeys.named(entry.unreadableOldKeys().stream()));
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

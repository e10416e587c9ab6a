// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of what is reported about a plugin.
 *
 * @param from null for the first report
 */
record PluginTransition(@Nullable PluginReport from, PluginReport to) {

  static Optional<PluginTransition> between(PluginHealthState before, PluginHealthState after) {
    var to = after.report();
    if (to == null || (before.report() != null && before.report().saysTheSameAs(to))) {
      return Optional.empty();
    }
    return Optional.of(new PluginTransition(before.report(), to));
  }

  boolean isDegraded() {
    return to.health() != ReportedHealth.HEALTHY || to.unreadableKeys() != null;
  }

  /** For people: {@code healthy}, or {@code error SocketMissing (was healthy)}. */
  String describe() {
    var text = new StringBuilder(healthText(to));
    if (to.cause() != null) {
      text.append(' ').append(to.cause());
    }
    if (from != null) {
      text.append(changeText(from));
    }
    return text.toString();
  }

  /** The one change that matters most. */
  private String changeText(PluginReport before) {
    if (before.health() != to.health()) {
      return " (was %s)".formatted(healthText(before));
    }
    if (!Objects.equals(before.remoteKeyId(), to.remoteKeyId())) {
      return " (new remote key)";
    }
    if (!Objects.equals(before.unreadableKeys(), to.unreadableKeys())) {
      return to.detail() == null ? " (older keys readable again)" : " (%s)".formatted(to.detail());
    }
    if (before.role() != to.role()) {
      return to.role() == null
          ? " (role unknown)"
          : " (role %s)".formatted(to.role().name().toLowerCase(Locale.ROOT));
    }
    return "";
  }

  private static String healthText(PluginReport report) {
    return report.health().name().toLowerCase(Locale.ROOT);
  }
}

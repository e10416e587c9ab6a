package io.krypton.agent.reporter;

import io.krypton.agent.reporter.report.PluginHealthReport;
import io.krypton.kms.health.HealthClass;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of what is told about a plugin.
 *
 * @param from null for the first judgement
 */
record PluginTransition(@Nullable PluginHealthReport from, PluginHealthReport to) {

  static Optional<PluginTransition> between(PluginHealthState before, PluginHealthState after) {
    var to = after.report();
    if (to == null || (before.report() != null && before.report().isEquivalentTo(to))) {
      return Optional.empty();
    }
    return Optional.of(new PluginTransition(before.report(), to));
  }

  boolean isDegraded() {
    return to.health() != HealthClass.HEALTHY || !to.unreadableOldKeys().isEmpty();
  }

  /** For people: {@code healthy}, or {@code error SocketMissing (was healthy)}. */
  String describe() {
    var words = new StringBuilder(healthText(to));
    if (to.cause() != null) {
      words.append(' ').append(to.cause());
    }
    if (from != null) {
      words.append(changeText(from));
    }
    return words.toString();
  }

  /** The one change that matters most. */
  private String changeText(PluginHealthReport before) {
    if (before.health() != to.health()) {
      return " (was %s)".formatted(healthText(before));
    }
    if (!Objects.equals(before.remoteKeyId(), to.remoteKeyId())) {
      return " (new remote key)";
    }
    if (!before.unreadableOldKeys().equals(to.unreadableOldKeys())) {
      return to.detail() == null ? " (older keys readable again)" : " (%s)".formatted(to.detail());
    }
    if (before.role() != to.role()) {
      return to.role() == null
          ? " (role unknown)"
          : " (role %s)".formatted(to.role().name().toLowerCase(Locale.ROOT));
    }
    return "";
  }

  private static String healthText(PluginHealthReport report) {
    return report.health().name().toLowerCase(Locale.ROOT);
  }
}

package io.krypton.agent.reporter;

import io.krypton.agent.report.PluginReport;
import io.krypton.kms.verdict.HealthClass;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A change of what is told about a plugin.
 *
 * @param from null for the first judgement
 */
record Transition(@Nullable PluginReport from, PluginReport to) {

  static Optional<Transition> between(PluginView before, PluginView after) {
    var to = after.report();
    if (to == null || (before.report() != null && before.report().saysTheSameAs(to))) {
      return Optional.empty();
    }
    return Optional.of(new Transition(before.report(), to));
  }

  boolean isBad() {
    return to.health() != HealthClass.HEALTHY || !to.unreadableOldKeys().isEmpty();
  }

  /** For people: {@code healthy}, or {@code error SocketMissing (was healthy)}. */
  String words() {
    var words = new StringBuilder(word(to));
    if (to.cause() != null) {
      words.append(' ').append(to.cause());
    }
    if (from != null) {
      words.append(news(from));
    }
    return words.toString();
  }

  /** The one change that matters most. */
  private String news(PluginReport before) {
    if (before.health() != to.health()) {
      return " (was %s)".formatted(word(before));
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

  private static String word(PluginReport report) {
    return report.health().name().toLowerCase(Locale.ROOT);
  }
}

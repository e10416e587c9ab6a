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
    return to.health() != HealthClass.HEALTHY;
  }

  /** For people: {@code healthy}, or {@code error SocketMissing (was healthy)}. */
  String words() {
    var words = new StringBuilder(word(to));
    if (to.cause() != null) {
      words.append(' ').append(to.cause());
    }
    if (from != null && from.health() != to.health()) {
      words.append(" (was ").append(word(from)).append(')');
    } else if (from != null && !Objects.equals(from.remoteKeyId(), to.remoteKeyId())) {
      words.append(" (new remote key)");
    }
    return words.toString();
  }

  private static String word(PluginReport report) {
    return report.health().name().toLowerCase(Locale.ROOT);
  }
}

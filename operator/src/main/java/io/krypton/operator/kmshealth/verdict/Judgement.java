package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.evidence.Freshness;
import io.krypton.operator.kmshealth.report.PluginReport;
import io.krypton.operator.kmshealth.report.Reported;
import org.jspecify.annotations.Nullable;

/** The decision about one plugin of one expected node. First match wins. */
final class Judgement {
  private Judgement() {}

  /**
   * What is looked at.
   *
   * @param unreadable the report of the node cannot be read
   * @param plugin its part of the report; null if there is none
   * @param graceOver it should have been there by now
   * @param errorConfirmed an error counts; one that nobody damped needs a second check
   * @param leaseNote why there is no Lease; null if there is one
   */
  record Facts(
      boolean unreadable,
      @Nullable PluginReport plugin,
      Freshness freshness,
      boolean graceOver,
      boolean errorConfirmed,
      @Nullable String leaseNote) {}

  static Finding of(Facts facts) {
    var plugin = facts.plugin();
    if (facts.unreadable() || (plugin != null && plugin.reported() == Reported.MALFORMED)) {
      return Finding.Failing.of(Trouble.MALFORMED_REPORT);
    }
    if (plugin == null) {
      return facts.graceOver() ? Finding.Failing.of(Trouble.REPORTER_MISSING) : Finding.WAITING;
    }
    return switch (plugin.reported()) {
      case UNHEALTHY -> failing(Trouble.PLUGIN_UNHEALTHY, plugin, facts);
      case ERROR ->
          facts.errorConfirmed() ? failing(Trouble.PLUGIN_ERROR, plugin, facts) : Finding.WAITING;
      case HEALTHY, MALFORMED -> healthy(facts);
    };
  }

  private static Finding healthy(Facts facts) {
    return switch (facts.freshness()) {
      case FRESH -> Finding.GOOD;
      case SETTLING -> Finding.WAITING;
      case STALE -> new Finding.Failing(Trouble.REPORTER_STALE, null, facts.leaseNote(), false);
    };
  }

  /** A failure stands whether or not the reporter is still heard: silence cures nothing. */
  private static Finding failing(Trouble trouble, PluginReport plugin, Facts facts) {
    return new Finding.Failing(
        trouble,
        Words.cause(plugin.cause()),
        Words.detail(plugin.detail()),
        facts.freshness() == Freshness.STALE);
  }
}

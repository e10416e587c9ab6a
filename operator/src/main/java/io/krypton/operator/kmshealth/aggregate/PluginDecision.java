// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.DegradedReason;
import io.krypton.operator.kmshealth.input.NodeLiveness.Freshness;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The decision about one plugin of one expected node. First match wins. */
final class PluginDecision {
  private PluginDecision() {}

  /**
   * The input.
   *
   * @param unreadable the report of the node cannot be read
   * @param plugin its part of the report; null if there is none
   * @param graceOver it should have been there by now
   * @param errorConfirmed an error counts; one that nobody damped needs a second check
   * @param missingLeaseReason why there is no Lease; null if there is one
   */
  record Facts(
      boolean unreadable,
      @Nullable PluginReport plugin,
      Freshness freshness,
      boolean graceOver,
      boolean errorConfirmed,
      @Nullable String missingLeaseReason) {}

  static PluginFinding decide(Facts facts) {
    var plugin = facts.plugin();
    if (facts.unreadable() || (plugin != null && plugin.health() == ReportedHealth.MALFORMED)) {
      return PluginFinding.Failing.of(DegradedReason.MALFORMED_REPORT);
    }
    if (plugin == null) {
      return facts.graceOver()
          ? PluginFinding.Failing.of(DegradedReason.REPORTER_MISSING)
          : PluginFinding.PENDING;
    }
    return switch (plugin.health()) {
      case UNHEALTHY -> failing(DegradedReason.PLUGIN_UNHEALTHY, plugin, facts);
      case ERROR ->
          facts.errorConfirmed()
              ? failing(DegradedReason.PLUGIN_ERROR, plugin, facts)
              : PluginFinding.PENDING;
      case HEALTHY, MALFORMED -> healthy(facts);
    };
  }

  private static PluginFinding healthy(Facts facts) {
    return switch (facts.freshness()) {
      case FRESH -> PluginFinding.HEALTHY;
      case SETTLING -> PluginFinding.PENDING;
      case STALE ->
          new PluginFinding.Failing(
              DegradedReason.REPORTER_STALE, null, facts.missingLeaseReason(), false);
    };
  }

  /** A failure lasts while the reporter is silent. */
  private static PluginFinding failing(
      DegradedReason degradedReason, PluginReport plugin, Facts facts) {
    return new PluginFinding.Failing(
        degradedReason,
        ReporterText.cause(plugin.cause()),
        ReporterText.detail(plugin.detail()),
        facts.freshness() == Freshness.STALE);
  }

  /** Makes texts of reporters fit for one line of a message: they are untrusted. */
  static final class ReporterText {
    private static final Pattern CAUSE = Pattern.compile("[A-Za-z0-9_:.-]{1,64}");
    private static final int LONGEST_DETAIL = 120;
    private static final String CUT = "...";

    private ReporterText() {}

    static @Nullable String cause(@Nullable String cause) {
      return cause != null && CAUSE.matcher(cause).matches() ? cause : null;
    }

    static @Nullable String detail(@Nullable String detail) {
      if (detail == null) {
        return null;
      }
      var clean = new StringBuilder();
      detail
          .codePoints()
          .map(point -> isPrintable(point) ? point : ' ')
          .limit(4L * LONGEST_DETAIL)
          .forEach(clean::appendCodePoint);
      var text = clean.toString().strip().replaceAll(" {2,}", " ");
      if (text.codePointCount(0, text.length()) > LONGEST_DETAIL) {
        text = text.substring(0, text.offsetByCodePoints(0, LONGEST_DETAIL - CUT.length())) + CUT;
      }
      return text.isEmpty() ? null : text;
    }

    private static boolean isPrintable(int point) {
      return switch (Character.getType(point)) {
        case Character.CONTROL,
            Character.FORMAT,
            Character.LINE_SEPARATOR,
            Character.PARAGRAPH_SEPARATOR,
            Character.SURROGATE,
            Character.PRIVATE_USE,
            Character.UNASSIGNED ->
            false;
        default -> true;
      };
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.base.kmsreport.KeyId;
import java.util.Comparator;
import org.jspecify.annotations.Nullable;

/** What is known about one plugin of one node. */
public sealed interface PluginFinding {
  PluginFinding HEALTHY = new Healthy();
  PluginFinding PENDING = new Pending();

  record Healthy() implements PluginFinding {}

  /** Not known yet: it changes no condition. */
  record Pending() implements PluginFinding {}

  /**
   * Something is wrong.
   *
   * @param cause of the reporter, already checked
   * @param detail of the reporter, already cleaned
   * @param stale the reporter has been silent since
   */
  record Failing(
      DegradedReason reason, @Nullable String cause, @Nullable String detail, boolean stale)
      implements PluginFinding {
    static Failing of(DegradedReason degradedReason) {
      return new Failing(degradedReason, null, null, false);
    }
  }

  /**
   * One plugin of one node.
   *
   * @param keyId null if nothing is known about the plugins of the node
   */
  record PluginKey(String node, @Nullable KeyId keyId) implements Comparable<PluginKey> {
    private static final Comparator<@Nullable KeyId> NEWEST_FIRST =
        Comparator.nullsLast(Comparator.<KeyId>reverseOrder());

    @Override
    public int compareTo(PluginKey other) {
      var byNode = node.compareTo(other.node);
      return byNode != 0 ? byNode : NEWEST_FIRST.compare(keyId, other.keyId);
    }
  }

  /** What can be wrong, in the order in which the reasons are joined. */
  enum DegradedReason {
    PLUGIN_UNHEALTHY(KmsHealthReasons.PLUGIN_UNHEALTHY, ConditionStatus.TRUE),
    PLUGIN_ERROR(KmsHealthReasons.PLUGIN_ERROR, ConditionStatus.TRUE),
    REPORTER_STALE(KmsHealthReasons.REPORTER_STALE, ConditionStatus.UNKNOWN),
    REPORTER_MISSING(KmsHealthReasons.REPORTER_MISSING, ConditionStatus.UNKNOWN),
    MALFORMED_REPORT(KmsHealthReasons.MALFORMED_REPORT, ConditionStatus.UNKNOWN);

    private final String conditionReason;
    private final ConditionStatus status;

    DegradedReason(String reason, ConditionStatus status) {
      this.conditionReason = reason;
      this.status = status;
    }

    String conditionReason() {
      return conditionReason;
    }

    /** The status of the condition: True for a plugin that is known to fail, else Unknown. */
    ConditionStatus status() {
      return status;
    }

    boolean isKnownBad() {
      return status == ConditionStatus.TRUE;
    }
  }
}

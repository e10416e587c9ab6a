package io.krypton.operator.kmshealth.verdict;

import io.krypton.api.condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthReasons;

/** What can be wrong, in the order in which the reasons are joined. */
public enum Trouble {
  PLUGIN_UNHEALTHY(KmsHealthReasons.PLUGIN_UNHEALTHY, ConditionStatus.TRUE),
  PLUGIN_ERROR(KmsHealthReasons.PLUGIN_ERROR, ConditionStatus.TRUE),
  REPORTER_STALE(KmsHealthReasons.REPORTER_STALE, ConditionStatus.UNKNOWN),
  REPORTER_MISSING(KmsHealthReasons.REPORTER_MISSING, ConditionStatus.UNKNOWN),
  MALFORMED_REPORT(KmsHealthReasons.MALFORMED_REPORT, ConditionStatus.UNKNOWN);

  private final String reason;
  private final ConditionStatus status;

  Trouble(String reason, ConditionStatus status) {
    this.reason = reason;
    this.status = status;
  }

  String reason() {
    return reason;
  }

  /** What it makes of the sum: a plugin that fails is known to fail, the rest is not known. */
  ConditionStatus status() {
    return status;
  }

  boolean isKnownBad() {
    return status == ConditionStatus.TRUE;
  }
}

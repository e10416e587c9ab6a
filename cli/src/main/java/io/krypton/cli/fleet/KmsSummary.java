// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.fleet;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What KmsHealth says about the encryption of one cluster, in a few words.
 *
 * @param state Healthy, Degraded, Unknown, Off, or {@code -} where there is no KmsHealth
 * @param converged whether all nodes encrypt with the same remote key
 */
record KmsSummary(
    String state, String reason, String nodes, String key, String converged, String message) {
  static final KmsSummary NONE = new KmsSummary("-", "", "", "", "", "");

  static KmsSummary of(@Nullable KmsHealthDocument health) {
    if (health == null) {
      return NONE;
    }
    if (!health.enabled()) {
      return new KmsSummary("Off", "", "", "", "", "spec.enabled is false");
    }
    var status = health.status();
    var conditions = status.conditions();
    var verdict =
        ConditionList.find(conditions, KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED)
            .or(() -> ConditionList.find(conditions, KmsHealthConditionTypes.DEGRADED));
    return new KmsSummary(
        verdict.map(Condition::status).map(KmsSummary::stateOf).orElse("Unknown"),
        verdict.map(Condition::reason).orElse(""),
        text(status.nodesHealthy()),
        text(status.writeKeyID()),
        ConditionList.find(conditions, KmsHealthConditionTypes.KMS_KEYS_CONVERGED)
            .map(condition -> convergence(condition, status.convergence()))
            .orElse(""),
        verdict
            .map(Condition::message)
            .orElse("no aggregator has judged yet; is the operator running?"));
  }

  private static String stateOf(ConditionStatus degraded) {
    return switch (degraded) {
      case TRUE -> "Degraded";
      case FALSE -> "Healthy";
      case UNKNOWN -> "Unknown";
    };
  }

  /** The operator's own words, where it is new enough to have some. */
  private static String convergence(Condition converged, @Nullable Convergence stored) {
    if (stored != null && stored.summary() != null) {
      return stored.summary();
    }
    return switch (converged.status()) {
      case TRUE -> "True";
      case FALSE -> converged.reason().isEmpty() ? "False" : converged.reason();
      case UNKNOWN -> "Unknown";
    };
  }

  private static String text(@Nullable String value) {
    return value == null ? "" : value;
  }

  Map<String, String> document() {
    var document = new LinkedHashMap<String, String>();
    document.put("state", state);
    document.put("reason", reason);
    document.put("nodesHealthy", nodes);
    document.put("writeKeyID", key);
    document.put("converged", converged);
    document.put("message", message);
    document.values().removeIf(String::isEmpty);
    return document;
  }
}

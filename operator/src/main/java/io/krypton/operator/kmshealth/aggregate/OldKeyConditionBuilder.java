// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import static java.util.stream.Collectors.joining;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.KmsHealthConditionTypes.KmsHealthReasons;
import io.krypton.base.kmsreport.KeyHash;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.ReportedHealth;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Which plugins work but cannot decrypt the data of an older remote key. To destroy that key is
 * what a rotation is for, so this degrades nothing; but it must not happen unnoticed.
 */
final class OldKeyConditionBuilder {
  private OldKeyConditionBuilder() {}

  /** Still without its time; null if there is nothing to say and never was. */
  static @Nullable Condition of(
      Collection<String> expected,
      Map<String, NodeReport> reports,
      Set<String> retired,
      @Nullable Condition published) {
    var lines = new ArrayList<String>();
    for (var node : new TreeSet<>(expected)) {
      var report = reports.get(node);
      if (report != null) {
        lines.addAll(linesOf(report, retired));
      }
    }
    if (!lines.isEmpty()) {
      return condition(
          ConditionStatus.TRUE,
          KmsHealthReasons.OLD_KEY_UNREADABLE,
          DegradedConditionBuilder.message(lines));
    }
    return published == null
        ? null
        : condition(ConditionStatus.FALSE, KmsHealthReasons.AS_EXPECTED, "");
  }

  private static List<String> linesOf(NodeReport report, Set<String> retired) {
    var lines = new ArrayList<String>();
    report
        .plugins()
        .reversed()
        .forEach(
            (key, plugin) -> {
              var unreadableKeys = plugin.unreadableKeys();
              if (plugin.health() == ReportedHealth.HEALTHY && unreadableKeys != null) {
                unreadableKeys
                    .without(retired)
                    .ifPresent(
                        left ->
                            lines.add(
                                "node %s keyID %s: cannot decrypt data of %s"
                                    .formatted(report.node(), key, names(left.hashes()))));
              }
            });
    return lines;
  }

  private static String names(SortedSet<KeyHash> hashes) {
    return hashes.isEmpty()
        ? "an older remote key"
        : (hashes.size() == 1 ? "remote key " : "remote keys ")
            + hashes.stream().map(KeyHash::text).collect(joining(", "));
  }

  private static Condition condition(ConditionStatus status, String reason, String message) {
    return Condition.of(KmsHealthConditionTypes.KMS_OLD_KEY_UNREADABLE, status, reason, message);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.audit.ApiAudit;
import io.krypton.sandbox.audit.AuditTrail.AuditRecord;
import java.util.List;
import java.util.Set;

/** What an operator and its Helm processes changed, by the word of the API servers. */
final class Writes {
  private static final Set<String> READING = Set.of("get", "list", "watch");

  private Writes() {}

  /**
   * All but the renewals of the Lease, which every operator owes its rivals.
   *
   * @param user whom the operator is on this control plane; other tests use it at the same time
   */
  static List<AuditRecord> since(ControlPlane plane, ApiAudit.Mark mark, String user) {
    return plane.audit().since(mark).by(user).records().stream()
        .filter(record -> isOurs(record.userAgent()) || isHelms(record.userAgent()))
        .filter(record -> isHelms(record.userAgent()) || !READING.contains(record.verb()))
        .filter(record -> !record.resource().equals("leases"))
        .toList();
  }

  static boolean isOurs(String userAgent) {
    return userAgent.startsWith("krypton");
  }

  static boolean isHelms(String userAgent) {
    return userAgent.startsWith("Helm/");
  }

  /** Only what the operator has really looked at can have cost nothing. */
  static void awaitQuietRuns(Operator operator, int more) throws Exception {
    var before = quietRuns(operator);
    Fleet.eventually(
        "looked at", () -> assertThat(quietRuns(operator)).isGreaterThanOrEqualTo(before + more));
  }

  /** How many runs found nothing to do, by the operator's own count. */
  static double quietRuns(Operator operator) throws Exception {
    return operator
        .metrics("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith("krypton_reconcile_total{") && line.contains("\"noop\""))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }
}

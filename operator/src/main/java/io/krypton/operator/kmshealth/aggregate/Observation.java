// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.ConditionList;
import io.krypton.api.kmshealth.Convergence;
import io.krypton.api.kmshealth.KmsHealthConditionTypes;
import io.krypton.api.kmshealth.NodeHealth;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.NodeEvidence;
import io.krypton.operator.kmshealth.input.NodeEvidence.Heartbeat;
import io.krypton.operator.kmshealth.input.NodeExpectation;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one object at one moment.
 *
 * @param missingLeaseReasons why there is no Lease of a node that reports, for those of which there
 *     is none
 * @param fromServer the server itself was asked, not what a watch has brought
 */
public record Observation(
    ClockReading now,
    TargetSpec spec,
    NodeExpectation expectation,
    SortedMap<String, NodeReport> reports,
    Map<String, Heartbeat> heartbeats,
    Map<String, String> missingLeaseReasons,
    PublishedStatus published,
    boolean fromServer) {

  /**
   * What the owner of the object asks for.
   *
   * @param inUse whether KMS is in use; null: as long as somebody reports
   * @param keyIds the plugins that count; empty: those that are reported
   * @param writeKey the one that encrypts; null: the one that reporters name
   * @param retiredKeys hashes of remote keys whose data nobody needs to read any more
   */
  public record TargetSpec(
      @Nullable Boolean inUse,
      Set<KeyId> keyIds,
      @Nullable KeyId writeKey,
      Duration convergedFor,
      Set<String> retiredKeys) {}

  /** Whether the evidence of any of these nodes differs. */
  public boolean differsFrom(Observation other, Set<String> nodes) {
    return nodes.stream().anyMatch(node -> !evidenceOf(node).equals(other.evidenceOf(node)));
  }

  Observation withReports(SortedMap<String, NodeReport> others) {
    return new Observation(
        now, spec, expectation, others, heartbeats, missingLeaseReasons, published, fromServer);
  }

  /** All nodes of which there is anything. */
  SortedSet<String> nodes() {
    var nodes = new TreeSet<>(reports.keySet());
    nodes.addAll(heartbeats.keySet());
    return nodes;
  }

  NodeEvidence evidenceOf(String node) {
    return new NodeEvidence(reports.get(node), heartbeats.get(node));
  }

  /** What is published on the object, by this process or an earlier one. */
  public record PublishedStatus(
      List<Condition> conditions, List<NodeHealth> nodes, @Nullable Convergence convergence) {

    public @Nullable Condition degraded() {
      return ConditionList.find(conditions, KmsHealthConditionTypes.KMS_PLUGINS_DEGRADED)
          .orElse(null);
    }

    public @Nullable Condition oldKeys() {
      return ConditionList.find(conditions, KmsHealthConditionTypes.KMS_OLD_KEY_UNREADABLE)
          .orElse(null);
    }

    public @Nullable Condition converged() {
      return ConditionList.find(conditions, KmsHealthConditionTypes.KMS_KEYS_CONVERGED)
          .orElse(null);
    }
  }
}

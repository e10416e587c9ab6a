package io.krypton.operator.kmshealth.verdict;

import io.krypton.operator.kmshealth.evidence.Evidence;
import io.krypton.operator.kmshealth.evidence.Heartbeat;
import io.krypton.operator.kmshealth.evidence.Moment;
import io.krypton.operator.kmshealth.report.KeyId;
import io.krypton.operator.kmshealth.report.NodeReport;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Everything that is known about one object at one moment.
 *
 * @param leaseNotes why there is no Lease of a node that reports, for those of which there is none
 * @param asked the server itself was asked, not what a watch has brought
 */
public record Observation(
    Moment now,
    Wanted wanted,
    Expectation expectation,
    SortedMap<String, NodeReport> reports,
    Map<String, Heartbeat> heartbeats,
    Map<String, String> leaseNotes,
    Published published,
    boolean asked) {

  /**
   * What the owner of the object asks for.
   *
   * @param inUse whether KMS is in use; null: as long as somebody reports
   * @param keyIds the plugins that count; empty: those that are reported
   * @param writeKey the one that encrypts; null: the one that reporters name
   * @param retiredKeys hashes of remote keys whose data nobody needs to read any more
   */
  public record Wanted(
      @Nullable Boolean inUse,
      Set<KeyId> keyIds,
      @Nullable KeyId writeKey,
      Duration convergedFor,
      Set<String> retiredKeys) {}

  /** Whether the other one has heard something else of any of these nodes. */
  public boolean differsFrom(Observation other, Set<String> nodes) {
    return nodes.stream().anyMatch(node -> !evidenceOf(node).equals(other.evidenceOf(node)));
  }

  Observation withReports(SortedMap<String, NodeReport> others) {
    return new Observation(
        now, wanted, expectation, others, heartbeats, leaseNotes, published, asked);
  }

  /** All nodes of which there is anything. */
  SortedSet<String> nodes() {
    var nodes = new TreeSet<>(reports.keySet());
    nodes.addAll(heartbeats.keySet());
    return nodes;
  }

  Evidence evidenceOf(String node) {
    return new Evidence(reports.get(node), heartbeats.get(node));
  }
}

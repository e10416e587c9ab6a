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

/** Everything that is known about one object at one moment. */
public record Observation(
    Moment now,
    Wanted wanted,
    Expectation expectation,
    SortedMap<String, NodeReport> reports,
    Map<String, Heartbeat> heartbeats,
    Published published) {

  /**
   * What the owner of the object asks for.
   *
   * @param inUse whether KMS is in use; null: as long as somebody reports
   * @param keyIds the plugins that count; empty: those that are reported
   * @param writeKey the one that encrypts; null: the highest
   */
  public record Wanted(
      @Nullable Boolean inUse,
      Set<KeyId> keyIds,
      @Nullable KeyId writeKey,
      Duration convergedFor) {}

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

// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.kmshealth.NodeHealth.Source;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.convergence.ConvergenceInput.NodeClaim;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.NodeExpectation;
import io.krypton.operator.kmshealth.input.NodeExpectation.Expected;
import io.krypton.operator.kmshealth.input.NodeLiveness;
import io.krypton.operator.kmshealth.input.NodeLiveness.Freshness;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The nodes that report, those that are expected, and how fresh each of them is. */
final class NodeRoster {
  /** A learned node is dropped after so long a silence. */
  private static final Duration FORGOTTEN_AFTER = Duration.ofHours(24);

  private final AggregatorState aggregatorState;
  private final Observation observation;
  private final GracePeriods gracePeriods;
  private final RequeueDeadline requeueDeadline;
  private final ClockReading now;
  private final Map<String, NodeLiveness> liveness;
  private final Expected expected;
  private final Map<String, Duration> expectedSince = new HashMap<>();
  private final Map<String, Duration> unexpectedSince = new HashMap<>();
  private final Set<String> suspectedStale = new TreeSet<>();

  private NodeRoster(
      AggregatorState aggregatorState,
      Observation observation,
      GracePeriods gracePeriods,
      RequeueDeadline requeueDeadline) {
    this.aggregatorState = aggregatorState;
    this.observation = observation;
    this.gracePeriods = gracePeriods;
    this.requeueDeadline = requeueDeadline;
    this.now = observation.now();
    this.liveness = nextLiveness();
    this.expected = nextExpected();
    for (var node : expected.nodes().keySet()) {
      expectedSince.put(node, aggregatorState.expectedSince().getOrDefault(node, now.uptime()));
    }
    for (var node : liveness.keySet()) {
      if (!expected.nodes().containsKey(node)) {
        unexpectedSince.put(
            node, aggregatorState.unexpectedSince().getOrDefault(node, now.uptime()));
      }
    }
  }

  static NodeRoster of(
      AggregatorState aggregatorState,
      Observation observation,
      GracePeriods gracePeriods,
      RequeueDeadline requeueDeadline) {
    return new NodeRoster(aggregatorState, observation, gracePeriods, requeueDeadline);
  }

  private Map<String, NodeLiveness> nextLiveness() {
    var next = new HashMap<String, NodeLiveness>();
    for (var node : observation.nodes()) {
      var nodeEvidence = observation.evidenceOf(node);
      var before = aggregatorState.nodes().get(node);
      var track =
          before != null
              ? before.next(nodeEvidence, now)
              : aggregatorState.isFirstReconcile()
                  ? NodeLiveness.atStart(nodeEvidence, now)
                  : NodeLiveness.appeared(nodeEvidence, now);
      next.put(node, observation.fromServer() ? track.confirmed(now) : track);
    }
    return next;
  }

  private Expected nextExpected() {
    return switch (observation.expectation()) {
      case NodeExpectation.Known known -> {
        var nodes = new HashMap<String, Source>();
        known.nodes().forEach(node -> nodes.put(node, known.source()));
        yield new Expected(nodes, known.inRollout(), true);
      }
      case NodeExpectation.Learned learned -> {
        var nodes = new HashMap<String, Source>();
        liveness.forEach(
            (node, track) -> {
              if (!now.hasElapsed(track.changedAt(), FORGOTTEN_AFTER)) {
                nodes.put(node, Source.LEARNED);
              }
            });
        yield new Expected(nodes, Set.of(), true);
      }
      case NodeExpectation.Unreadable unreadable ->
          new Expected(
              aggregatorState.expected().nodes(), aggregatorState.expected().inRollout(), false);
    };
  }

  Map<String, NodeLiveness> liveness() {
    return liveness;
  }

  Expected expected() {
    return expected;
  }

  Map<String, Duration> expectedSince() {
    return expectedSince;
  }

  Map<String, Duration> unexpectedSince() {
    return unexpectedSince;
  }

  /** Also in a rollout, and after a planned stop, a node may be silent for longer. */
  Freshness freshness(String node) {
    var track = liveness.get(node);
    if (track == null) {
      return Freshness.STALE;
    }
    return freshness(node, track, thresholdOf(node));
  }

  /** Stale only if the server itself has nothing newer: a watch may have stalled. */
  private Freshness freshness(String node, NodeLiveness track, Duration threshold) {
    requeueDeadline.consider(track.nextChange(threshold, now));
    var freshness = track.freshness(threshold, now);
    if (freshness == Freshness.STALE && !track.isSilenceConfirmed(threshold)) {
      suspectedStale.add(node);
      return Freshness.SETTLING;
    }
    return freshness;
  }

  /** Nodes that seem stale, to be confirmed by a read from the server. */
  Set<String> suspectedStale() {
    return suspectedStale;
  }

  private Duration thresholdOf(String node) {
    var nodeEvidence = observation.evidenceOf(node);
    var own = nodeEvidence.staleThreshold();
    var isExcused = expected.inRollout().contains(node) || nodeEvidence.isPlannedStop();
    return isExcused ? HealthAggregator.latest(own, gracePeriods.rollout()) : own;
  }

  /** What each expected node proves about a key; nobody is excused here. */
  SortedMap<String, NodeClaim> claims(@Nullable KeyId key, Map<String, NodeReport> live) {
    var claims = new TreeMap<String, NodeClaim>();
    if (key != null) {
      expected.nodes().keySet().forEach(node -> claims.put(node, claim(node, live.get(node), key)));
    }
    return claims;
  }

  private NodeClaim claim(String node, @Nullable NodeReport report, KeyId key) {
    var plugin = report == null || report.malformed() ? null : report.plugins().get(key);
    var track = liveness.get(node);
    if (plugin == null || track == null) {
      return new NodeClaim.Missing();
    }
    return switch (plugin.health()) {
      case MALFORMED -> new NodeClaim.Missing();
      case ERROR, UNHEALTHY -> new NodeClaim.Failing();
      case HEALTHY -> {
        var threshold = observation.evidenceOf(node).staleThreshold();
        yield switch (freshness(node, track, threshold)) {
          case STALE -> new NodeClaim.Stale();
          case SETTLING -> new NodeClaim.Settling(plugin.remoteKeyId());
          case FRESH -> {
            var id = plugin.remoteKeyId();
            yield id == null
                ? new NodeClaim.WithoutKeyId()
                : new NodeClaim.Uses(id, track.changedAt());
          }
        };
      }
    };
  }

  /** The reports of expected nodes that have not fallen silent; if all have, of all. */
  List<NodeReport> freshReports(Map<String, NodeReport> live) {
    var reports = new ArrayList<NodeReport>();
    var fresh = new ArrayList<NodeReport>();
    for (var node : expected.nodes().keySet()) {
      var report = live.get(node);
      var track = liveness.get(node);
      if (report != null && track != null && !report.malformed()) {
        reports.add(report);
        if (freshness(node, track, observation.evidenceOf(node).staleThreshold())
            != Freshness.STALE) {
          fresh.add(report);
        }
      }
    }
    return fresh.isEmpty() ? reports : fresh;
  }

  /** Whether the expected nodes are learned from reports. */
  boolean isLearned() {
    return expected.nodes().containsValue(Source.LEARNED);
  }

  /** When a node was last observed to change. */
  Duration unchangedSince(String node) {
    var track = liveness.get(node);
    return track == null
        ? aggregatorState.startedAt()
        : HealthAggregator.latest(track.changedAt(), aggregatorState.startedAt());
  }

  boolean isUnchangedFor(String node, Duration length) {
    return now.hasElapsed(unchangedSince(node), length);
  }

  /** Nothing is removed while it is not certain who is expected. */
  Set<String> orphans() {
    var orphans = new HashSet<String>();
    if (expected.isCertain()) {
      unexpectedSince.forEach(
          (node, since) -> {
            var quiet = HealthAggregator.latest(since, unchangedSince(node));
            if (now.hasElapsed(quiet, gracePeriods.orphan())) {
              orphans.add(node);
            } else {
              requeueDeadline.consider(quiet.plus(gracePeriods.orphan()));
            }
          });
    }
    return orphans;
  }

  Set<NodeWarning> warnings() {
    var warnings = new HashSet<NodeWarning>();
    liveness.forEach(
        (node, track) -> {
          if (track.isSkewed()) {
            warnings.add(new NodeWarning(NodeWarning.Kind.CLOCK_SKEW, node));
          }
          if (track.hasTwoReporters(now)) {
            warnings.add(new NodeWarning(NodeWarning.Kind.DUPLICATE_REPORTER, node));
          }
          var since = unexpectedSince.get(node);
          if (since != null
              && expected.isCertain()
              && now.hasElapsed(since, gracePeriods.orphan())
              && !isUnchangedFor(node, gracePeriods.orphan())) {
            warnings.add(new NodeWarning(NodeWarning.Kind.UNEXPECTED_REPORTER, node));
          }
        });
    return warnings;
  }
}

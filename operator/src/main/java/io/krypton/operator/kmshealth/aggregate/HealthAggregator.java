// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.api.condition.Condition;
import io.krypton.api.condition.Condition.ConditionStatus;
import io.krypton.api.condition.ConditionList;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.operator.kmshealth.aggregate.AggregationResult.NodeWarning;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.PluginKey;
import io.krypton.operator.kmshealth.convergence.ConvergenceInput;
import io.krypton.operator.kmshealth.convergence.ConvergenceResult;
import io.krypton.operator.kmshealth.convergence.KeyConvergence;
import io.krypton.operator.kmshealth.convergence.WriteKey;
import io.krypton.operator.kmshealth.input.ClockReading;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** One reconcile of one object: state and observation give the result and the next state. Pure. */
public final class HealthAggregator {
  private static final Comparator<NodeWarning> WARNING_ORDER =
      Comparator.comparing(NodeWarning::node).thenComparing(NodeWarning::kind);

  private final AggregatorState aggregatorState;
  private final Observation observation;
  private final GracePeriods gracePeriods;
  private final ClockReading now;
  private final RequeueDeadline requeueDeadline;

  /** What is reported, without what was left behind. */
  private final SortedMap<String, NodeReport> live;

  private final ReportLocationHistory locations;

  private HealthAggregator(
      AggregatorState aggregatorState, Observation observation, GracePeriods gracePeriods) {
    this.aggregatorState = aggregatorState;
    this.observation = observation;
    this.gracePeriods = gracePeriods;
    this.now = observation.now();
    this.requeueDeadline = new RequeueDeadline(now);
    this.locations =
        aggregatorState
            .locations()
            .next(observation.reports(), observation.heartbeats().keySet(), now.uptime());
    this.live = locations.live(observation.reports());
  }

  public static AggregationResult aggregate(
      AggregatorState aggregatorState, Observation observation, GracePeriods gracePeriods) {
    return new HealthAggregator(
            aggregatorState.resetAfterLongPause(observation.now()), observation, gracePeriods)
        .result();
  }

  private AggregationResult result() {
    var nodeRoster = NodeRoster.of(aggregatorState, observation, gracePeriods, requeueDeadline);
    if (!isInUse(nodeRoster)) {
      return notInUse(nodeRoster);
    }
    var neverKnown = !nodeRoster.expected().isCertain() && nodeRoster.expected().nodes().isEmpty();
    return neverKnown ? asPublished(nodeRoster) : inUse(nodeRoster);
  }

  /** The expected nodes could not be read yet: what is published stays. */
  private AggregationResult asPublished(NodeRoster nodeRoster) {
    var publishedStatus = observation.published();
    var next =
        new AggregatorState(
            aggregatorState.startedAt(),
            now,
            aggregatorState.inUseSince() == null ? now.uptime() : aggregatorState.inUseSince(),
            nodeRoster.expected(),
            nodeRoster.liveness(),
            Map.of(),
            Map.of(),
            Map.of(),
            ReportedKeys.NONE,
            locations,
            Set.of(),
            null,
            publishedStatus.convergence());
    return new AggregationResult(
        next,
        true,
        publishedStatus.degraded(),
        publishedStatus.converged(),
        publishedStatus.oldKeys(),
        publishedStatus.nodes(),
        observation.spec().writeKey(),
        false,
        publishedStatus.convergence(),
        false,
        Set.of(),
        Set.of(),
        Set.of(),
        requeueDeadline.requeueAfter());
  }

  /** Unless the spec decides, KMS is in use as long as a node reports. */
  private boolean isInUse(NodeRoster nodeRoster) {
    var specified = observation.spec().inUse();
    return specified == null
        ? observation.nodes().stream()
            .anyMatch(node -> !nodeRoster.isUnchangedFor(node, gracePeriods.orphan()))
        : specified;
  }

  private AggregationResult notInUse(NodeRoster nodeRoster) {
    var orphans = new TreeSet<String>();
    for (var node : observation.nodes()) {
      if (nodeRoster.isUnchangedFor(node, gracePeriods.orphan())) {
        orphans.add(node);
      } else {
        requeueDeadline.consider(nodeRoster.unchangedSince(node).plus(gracePeriods.orphan()));
      }
    }
    var next =
        new AggregatorState(
            aggregatorState.startedAt(),
            now,
            null,
            nodeRoster.expected(),
            nodeRoster.liveness(),
            Map.of(),
            Map.of(),
            Map.of(),
            ReportedKeys.NONE,
            locations,
            Set.of(),
            null,
            null);
    return new AggregationResult(
        next,
        false,
        null,
        null,
        null,
        List.of(),
        null,
        false,
        null,
        false,
        Set.of(),
        orphans,
        Set.of(),
        requeueDeadline.requeueAfter());
  }

  private AggregationResult inUse(NodeRoster nodeRoster) {
    var inUseSince =
        aggregatorState.inUseSince() == null ? now.uptime() : aggregatorState.inUseSince();
    var reportedKeys =
        aggregatorState.keySets().next(nodeRoster.expected().nodes().keySet(), live, now.uptime());
    var named = new TreeSet<>(observation.spec().keyIds());
    var writes =
        WriteKey.of(
            observation.spec().writeKey(),
            nodeRoster.freshReports(live),
            named.isEmpty() ? reportedKeys.all() : named);
    var writeKey = writes.key();
    var items =
        new PluginEvaluator(
                aggregatorState,
                observation.withReports(live),
                gracePeriods,
                nodeRoster,
                reportedKeys,
                inUseSince,
                requeueDeadline)
            .evaluate();
    var shown = new TreeMap<PluginKey, PluginFinding>();
    items.forEach((pluginKey, track) -> shown.put(pluginKey, track.shown()));
    var verdict = keyVerdict(nodeRoster, writes);
    var warnings = nodeRoster.warnings();
    var newWarnings = new TreeSet<NodeWarning>(WARNING_ORDER);
    newWarnings.addAll(warnings);
    newWarnings.removeAll(aggregatorState.announced());
    var next =
        new AggregatorState(
            aggregatorState.startedAt(),
            now,
            inUseSince,
            nodeRoster.expected(),
            nodeRoster.liveness(),
            nodeRoster.expectedSince(),
            nodeRoster.unexpectedSince(),
            items,
            reportedKeys,
            locations,
            warnings,
            verdict.agreement(),
            verdict.stored());
    return new AggregationResult(
        next,
        true,
        degraded(shown, writeKey),
        ConditionList.withTransitionTime(
            verdict.condition(), observation.published().conditions(), now.wall()),
        oldKeys(nodeRoster),
        NodeHealthBuilder.of(nodeRoster.expected(), shown, observation.published(), now.wall()),
        writeKey,
        fails(shown, writeKey),
        verdict.stored(),
        verdict.reused(),
        newWarnings,
        nodeRoster.orphans(),
        nodeRoster.suspectedStale(),
        requeueDeadline.requeueAfter());
  }

  private @Nullable Condition degraded(
      SortedMap<PluginKey, PluginFinding> shown, @Nullable KeyId writeKey) {
    var published = observation.published().degraded();
    var next = DegradedConditionBuilder.of(shown, writeKey, published);
    if (next == null || next.equals(published)) {
      return next;
    }
    if (published == null) {
      return next.since(now.wall());
    }
    if (next.status() == ConditionStatus.FALSE && published.status() != ConditionStatus.FALSE) {
      if (!now.hasElapsed(aggregatorState.startedAt(), gracePeriods.recovery())) {
        // Right after a start nobody knows that it has been healthy for long enough.
        requeueDeadline.consider(aggregatorState.startedAt().plus(gracePeriods.recovery()));
        return published;
      }
      return next.since(now.wall());
    }
    // True and Unknown are one failure: inertia counts from its beginning.
    var same =
        (next.status() == ConditionStatus.FALSE) == (published.status() == ConditionStatus.FALSE);
    var since = published.lastTransitionTime();
    return next.since(same && since != null ? since : now.wall());
  }

  private @Nullable Condition oldKeys(NodeRoster nodeRoster) {
    var next =
        OldKeyConditionBuilder.of(
            nodeRoster.expected().nodes().keySet(),
            live,
            observation.spec().retiredKeys(),
            observation.published().oldKeys());
    return next == null
        ? null
        : ConditionList.withTransitionTime(next, observation.published().conditions(), now.wall());
  }

  private static boolean fails(
      SortedMap<PluginKey, PluginFinding> shown, @Nullable KeyId writeKey) {
    return shown.entrySet().stream()
        .anyMatch(
            item ->
                writeKey != null
                    && writeKey.equals(item.getKey().keyId())
                    && item.getValue() instanceof PluginFinding.Failing failing
                    && failing.reason().isKnownBad());
  }

  private ConvergenceResult keyVerdict(NodeRoster nodeRoster, WriteKey writeKey) {
    var stored = observation.published().convergence();
    var verdict =
        KeyConvergence.evaluate(
            new ConvergenceInput(
                writeKey,
                nodeRoster.claims(writeKey.key(), live),
                nodeRoster.isLearned(),
                aggregatorState.agreement(),
                aggregatorState.keySets().changedAt() == null,
                stored == null ? aggregatorState.convergence() : stored,
                observation.published().converged(),
                observation.spec().convergedFor(),
                now));
    requeueDeadline.consider(verdict.nextChange());
    return verdict;
  }

  static Duration latest(Duration... times) {
    var latest = times[0];
    for (var time : times) {
      latest = time.compareTo(latest) > 0 ? time : latest;
    }
    return latest;
  }
}

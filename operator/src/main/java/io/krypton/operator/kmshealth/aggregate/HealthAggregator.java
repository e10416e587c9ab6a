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

/** One look at one object: what is seen and what is remembered give what is to be said. Pure. */
public final class HealthAggregator {
  private static final Comparator<NodeWarning> NOTICE_ORDER =
      Comparator.comparing(NodeWarning::node).thenComparing(NodeWarning::kind);

  private final AggregatorState aggregatorState;
  private final Observation seen;
  private final GracePeriods gracePeriods;
  private final ClockReading now;
  private final RequeueDeadline requeueDeadline;

  /** What is reported, without what was left behind. */
  private final SortedMap<String, NodeReport> live;

  private final ReportLocationHistory places;

  private HealthAggregator(
      AggregatorState aggregatorState, Observation seen, GracePeriods gracePeriods) {
    this.aggregatorState = aggregatorState;
    this.seen = seen;
    this.gracePeriods = gracePeriods;
    this.now = seen.now();
    this.requeueDeadline = new RequeueDeadline(now);
    this.places =
        aggregatorState.locations().next(seen.reports(), seen.heartbeats().keySet(), now.uptime());
    this.live = places.live(seen.reports());
  }

  public static AggregationResult aggregate(
      AggregatorState aggregatorState, Observation seen, GracePeriods gracePeriods) {
    return new HealthAggregator(aggregatorState.resetAfterLongPause(seen.now()), seen, gracePeriods)
        .result();
  }

  private AggregationResult result() {
    var nodeRoster = NodeRoster.of(aggregatorState, seen, gracePeriods, requeueDeadline);
    if (!isInUse(nodeRoster)) {
      return notInUse(nodeRoster);
    }
    var neverKnown = !nodeRoster.expected().isCertain() && nodeRoster.expected().nodes().isEmpty();
    return neverKnown ? asPublished(nodeRoster) : inUse(nodeRoster);
  }

  /** Who is expected could not be read yet: what an earlier process said stands. */
  private AggregationResult asPublished(NodeRoster nodeRoster) {
    var publishedStatus = seen.published();
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
            places,
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
        seen.spec().writeKey(),
        false,
        publishedStatus.convergence(),
        false,
        Set.of(),
        Set.of(),
        Set.of(),
        requeueDeadline.requeueAfter());
  }

  /** Where nobody says so, KMS is in use as long as somebody reports about it. */
  private boolean isInUse(NodeRoster nodeRoster) {
    var said = seen.spec().inUse();
    return said == null
        ? seen.nodes().stream()
            .anyMatch(node -> !nodeRoster.isUnchangedFor(node, gracePeriods.orphan()))
        : said;
  }

  private AggregationResult notInUse(NodeRoster nodeRoster) {
    var orphans = new TreeSet<String>();
    for (var node : seen.nodes()) {
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
            places,
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
    var named = new TreeSet<>(seen.spec().keyIds());
    var writes =
        WriteKey.of(
            seen.spec().writeKey(),
            nodeRoster.freshReports(live),
            named.isEmpty() ? reportedKeys.all() : named);
    var writeKey = writes.key();
    var items =
        new PluginEvaluator(
                aggregatorState,
                seen.withReports(live),
                gracePeriods,
                nodeRoster,
                reportedKeys,
                inUseSince,
                requeueDeadline)
            .evaluate();
    var shown = new TreeMap<PluginKey, PluginFinding>();
    items.forEach((pluginKey, track) -> shown.put(pluginKey, track.shown()));
    var verdict = keyVerdict(nodeRoster, writes);
    var notices = nodeRoster.warnings();
    var told = new TreeSet<NodeWarning>(NOTICE_ORDER);
    told.addAll(notices);
    told.removeAll(aggregatorState.announced());
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
            places,
            notices,
            verdict.agreement(),
            verdict.stored());
    return new AggregationResult(
        next,
        true,
        degraded(shown, writeKey),
        ConditionList.withTransitionTime(
            verdict.condition(), seen.published().conditions(), now.wall()),
        oldKeys(nodeRoster),
        NodeHealthBuilder.of(nodeRoster.expected(), shown, seen.published(), now.wall()),
        writeKey,
        fails(shown, writeKey),
        verdict.stored(),
        verdict.reused(),
        told,
        nodeRoster.orphans(),
        nodeRoster.suspectedStale(),
        requeueDeadline.requeueAfter());
  }

  private @Nullable Condition degraded(
      SortedMap<PluginKey, PluginFinding> shown, @Nullable KeyId writeKey) {
    var published = seen.published().degraded();
    var next = DegradedConditionBuilder.of(shown, writeKey, published);
    if (next == null || next.equals(published)) {
      return next;
    }
    if (published == null) {
      return next.since(now.wall());
    }
    if (next.status() == ConditionStatus.FALSE && published.status() != ConditionStatus.FALSE) {
      if (!now.hasElapsed(aggregatorState.startedAt(), gracePeriods.recovery())) {
        // Who has just begun to look cannot know that it has been well for long enough.
        requeueDeadline.consider(aggregatorState.startedAt().plus(gracePeriods.recovery()));
        return published;
      }
      return next.since(now.wall());
    }
    // True and Unknown are one stretch of trouble: inertia counts from its beginning.
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
            seen.spec().retiredKeys(),
            seen.published().oldKeys());
    return next == null
        ? null
        : ConditionList.withTransitionTime(next, seen.published().conditions(), now.wall());
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
    var stored = seen.published().convergence();
    var verdict =
        KeyConvergence.evaluate(
            new ConvergenceInput(
                writeKey,
                nodeRoster.claims(writeKey.key(), live),
                nodeRoster.isLearned(),
                aggregatorState.agreement(),
                aggregatorState.keySets().changedAt() == null,
                stored == null ? aggregatorState.convergence() : stored,
                seen.published().converged(),
                seen.spec().convergedFor(),
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

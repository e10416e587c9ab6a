// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.kmshealth.aggregate;

import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedHealth;
import io.krypton.operator.kmshealth.aggregate.PluginFinding.PluginKey;
import io.krypton.operator.kmshealth.input.ClockReading;
import io.krypton.operator.kmshealth.input.NodeLiveness.Freshness;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Evaluates and debounces each plugin of each expected node. */
final class PluginEvaluator {
  private final AggregatorState aggregatorState;
  private final Observation observation;
  private final GracePeriods gracePeriods;
  private final NodeRoster nodeRoster;
  private final ReportedKeys reportedKeys;
  private final Duration inUseSince;
  private final RequeueDeadline requeueDeadline;
  private final ClockReading now;

  PluginEvaluator(
      AggregatorState aggregatorState,
      Observation observation,
      GracePeriods gracePeriods,
      NodeRoster nodeRoster,
      ReportedKeys reportedKeys,
      Duration inUseSince,
      RequeueDeadline requeueDeadline) {
    this.aggregatorState = aggregatorState;
    this.observation = observation;
    this.gracePeriods = gracePeriods;
    this.nodeRoster = nodeRoster;
    this.reportedKeys = reportedKeys;
    this.inUseSince = inUseSince;
    this.requeueDeadline = requeueDeadline;
    this.now = observation.now();
  }

  Map<PluginKey, PluginDebounce> evaluate() {
    var tracks = new TreeMap<PluginKey, PluginDebounce>();
    for (var node : nodeRoster.expected().nodes().keySet()) {
      var freshness = nodeRoster.freshness(node);
      for (var pluginKey : pluginsOf(node)) {
        tracks.put(
            pluginKey, evaluatePlugin(pluginKey, observation.reports().get(node), freshness));
      }
    }
    return tracks;
  }

  private List<PluginKey> pluginsOf(String node) {
    var items = keysOf(node).stream().map(key -> new PluginKey(node, key)).toList();
    return items.isEmpty() ? List.of(new PluginKey(node, null)) : items;
  }

  /** Those that the spec names, else those that the node reports and those that only it lacks. */
  private SortedSet<KeyId> keysOf(String node) {
    if (!observation.spec().keyIds().isEmpty()) {
      return new TreeSet<>(observation.spec().keyIds());
    }
    var keys = reportedKeys.of(node);
    for (var key : reportedKeys.all()) {
      var lacking = reportedKeys.onlyMissingSince(node, key);
      if (lacking.isPresent() && observation.reports().containsKey(node)) {
        requeueDeadline.consider(lacking.get().plus(gracePeriods.rollout()));
        if (now.hasElapsed(lacking.get(), gracePeriods.rollout())) {
          keys.add(key);
        }
      }
    }
    return keys;
  }

  private PluginDebounce evaluatePlugin(
      PluginKey pluginKey, @Nullable NodeReport report, Freshness freshness) {
    var plugin =
        report == null || pluginKey.keyId() == null
            ? null
            : report.plugins().get(pluginKey.keyId());
    var before = before(pluginKey);
    var lacking =
        plugin != null
            ? null
            : before.missingSince() == null ? now.uptime() : before.missingSince();
    var firstError = firstError(before, plugin);
    var found =
        PluginDecision.decide(
            new PluginDecision.Facts(
                report != null && report.malformed(),
                plugin,
                freshness,
                lacking != null
                    && (isOnlyOneMissing(pluginKey) || isGraceOver(pluginKey.node(), lacking)),
                isConfirmed(pluginKey.node(), plugin, firstError),
                observation.missingLeaseReasons().get(pluginKey.node())));
    var next = before.with(lacking, firstError).next(found, now, gracePeriods.recovery());
    requeueDeadline.consider(next.nextChange(now, gracePeriods.recovery()));
    return next;
  }

  /** Then its grace is over already, else it would not be evaluated. */
  private boolean isOnlyOneMissing(PluginKey pluginKey) {
    return observation.spec().keyIds().isEmpty()
        && pluginKey.keyId() != null
        && observation.reports().containsKey(pluginKey.node())
        && reportedKeys.onlyMissingSince(pluginKey.node(), pluginKey.keyId()).isPresent();
  }

  /** What was shown of a whole node passes to its plugins once they are known. */
  private PluginDebounce before(PluginKey pluginKey) {
    var own = aggregatorState.plugins().get(pluginKey);
    return own != null
        ? own
        : aggregatorState
            .plugins()
            .getOrDefault(new PluginKey(pluginKey.node(), null), PluginDebounce.NEW);
  }

  private boolean isGraceOver(String node, Duration lacking) {
    var begin =
        HealthAggregator.latest(
            aggregatorState.startedAt(),
            inUseSince,
            nodeRoster.expectedSince().getOrDefault(node, now.uptime()),
            lacking);
    requeueDeadline.consider(begin.plus(gracePeriods.report()));
    return now.hasElapsed(begin, gracePeriods.report());
  }

  private static @Nullable Instant firstError(
      PluginDebounce before, @Nullable PluginReport plugin) {
    if (plugin == null || plugin.health() != ReportedHealth.ERROR) {
      return null;
    }
    return before.firstError() == null ? plugin.lastChecked() : before.firstError();
  }

  /**
   * Our reporters have made sure of an error before they report it: they name a cause, or have a
   * Lease. From others the same must be reported twice.
   */
  private boolean isConfirmed(
      String node, @Nullable PluginReport plugin, @Nullable Instant firstError) {
    return plugin != null
        && (plugin.cause() != null
            || observation.heartbeats().containsKey(node)
            || (firstError != null && !firstError.equals(plugin.lastChecked())));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.NodeReport;
import io.krypton.base.kmsreport.PluginReport;
import io.krypton.base.kmsreport.ReportedRole;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeListener.PluginState;
import java.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Collects what the probes find: updates the latest sample and keeps the rest for the local pages.
 * Written by the prober's loop and the role watcher, read by any thread.
 */
final class NodeHealthCollector implements ProbeListener<ReportDebounce> {
  private static final Logger log = LoggerFactory.getLogger(NodeHealthCollector.class);
  private static final int MAX_TRANSITIONS = 64;

  private final ReporterSettings settings;
  private final LatestSample latestSample;
  private final Clock clock;
  private final ProbeMetrics metrics = new ProbeMetrics();
  private final Map<KeyId, PluginHealthState> plugins = new TreeMap<>(Comparator.reverseOrder());
  private final Deque<PluginTransition> transitions = new ArrayDeque<>();

  NodeHealthCollector(ReporterSettings settings, LatestSample latestSample, Clock clock) {
    this.settings = settings;
    this.latestSample = latestSample;
    this.clock = clock;
    settings
        .sockets()
        .forEach(socket -> plugins.put(socket.keyId(), PluginHealthState.unknown(socket.keyId())));
  }

  ProbeMetrics metrics() {
    return metrics;
  }

  @Override
  public void onResult(PluginState<ReportDebounce> state, PluginProbeResult result) {
    metrics.count(result);
    updatePlugin(
        KeyId.parse(result.plugin()).orElseThrow(),
        before -> before.withResult(state, result, settings.keyIdFormat()));
    updateSample();
  }

  @Override
  public void onTick(long number) {
    latestSample.update(sample -> sample.withTick(clock.instant()));
  }

  /** What the API server uses the plugins for; one that is not named has no known role. */
  synchronized void updateRoles(Map<KeyId, ReportedRole> roles) {
    for (var keyId : List.copyOf(plugins.keySet())) {
      updatePlugin(keyId, before -> before.withRole(roles.get(keyId)));
    }
    updateSample();
  }

  private synchronized void updatePlugin(KeyId keyId, UnaryOperator<PluginHealthState> change) {
    var before = plugins.getOrDefault(keyId, PluginHealthState.unknown(keyId));
    var after = change.apply(before);
    plugins.put(keyId, after);
    PluginTransition.between(before, after).ifPresent(this::recordTransition);
  }

  /** Under the lock, so that no report overtakes a newer one. */
  private synchronized void updateSample() {
    report(List.copyOf(plugins.values()))
        .ifPresent(report -> latestSample.update(sample -> sample.withReport(report)));
  }

  private void recordTransition(PluginTransition transition) {
    transitions.addLast(transition);
    if (transitions.size() > MAX_TRANSITIONS) {
      transitions.removeFirst();
    }
    (transition.isDegraded() ? log.atWarn() : log.atInfo())
        .addKeyValue("keyID", transition.to().keyId())
        .log("plugin {}", transition.describe());
  }

  /** Empty until every plugin has a result: readers would take a part for the whole. */
  private Optional<NodeReport> report(List<PluginHealthState> states) {
    var reports = new ArrayList<PluginReport>();
    for (var state : states) {
      if (state.currentReport().isEmpty()) {
        return Optional.empty();
      }
      reports.add(state.currentReport().get());
    }
    return Optional.of(
        NodeReport.of(settings.nodeName(), settings.interval(), settings.lease(), reports));
  }

  /** Newest key id first. */
  synchronized List<PluginHealthState> plugins() {
    return List.copyOf(plugins.values());
  }

  /** The last changes, oldest first. */
  synchronized List<PluginTransition> transitions() {
    return List.copyOf(transitions);
  }
}

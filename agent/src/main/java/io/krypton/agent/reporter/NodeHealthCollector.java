package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterSettings;
import io.krypton.agent.reporter.publish.LatestSample;
import io.krypton.agent.reporter.report.NodeHealthReport;
import io.krypton.agent.reporter.report.PluginHealthReport;
import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ReportDebounce;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeListener.PluginState;
import java.math.BigInteger;
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
 * Collects what the probes find: hands reports to the mailbox and keeps the rest for the local
 * pages. Written by the prober's loop and the watch of roles, read by anybody.
 */
final class NodeHealthCollector implements ProbeListener<ReportDebounce> {
  private static final Logger log = LoggerFactory.getLogger(NodeHealthCollector.class);
  private static final int MAX_TRANSITIONS = 64;

  private final ReporterSettings settings;
  private final LatestSample latestSample;
  private final Clock clock;
  private final ProbeMetrics metrics = new ProbeMetrics();
  private final Map<BigInteger, PluginHealthState> plugins =
      new TreeMap<>(Comparator.reverseOrder());
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
        new BigInteger(result.plugin()),
        before -> before.withResult(state, result, settings.keyIdFormat()));
    updateSample();
  }

  @Override
  public void onTick(long number) {
    latestSample.update(sample -> sample.withTick(clock.instant()));
  }

  /** What the API server uses the plugins for; one that is not named has no known role. */
  synchronized void updateRoles(Map<BigInteger, ProviderRole> roles) {
    for (var keyId : List.copyOf(plugins.keySet())) {
      updatePlugin(keyId, before -> before.withRole(roles.get(keyId)));
    }
    updateSample();
  }

  private synchronized void updatePlugin(
      BigInteger keyId, UnaryOperator<PluginHealthState> change) {
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

  private void recordTransition(PluginTransition pluginTransition) {
    transitions.addLast(pluginTransition);
    if (transitions.size() > MAX_TRANSITIONS) {
      transitions.removeFirst();
    }
    (pluginTransition.isDegraded() ? log.atWarn() : log.atInfo())
        .addKeyValue("keyID", pluginTransition.to().keyId())
        .log("plugin {}", pluginTransition.describe());
  }

  /** None until every plugin has been judged: half a report would pass for a whole one. */
  private Optional<NodeHealthReport> report(List<PluginHealthState> views) {
    var reports = new ArrayList<PluginHealthReport>();
    for (var view : views) {
      if (view.currentReport().isEmpty()) {
        return Optional.empty();
      }
      reports.add(view.currentReport().get());
    }
    return Optional.of(
        new NodeHealthReport(settings.nodeName(), settings.interval(), settings.lease(), reports));
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

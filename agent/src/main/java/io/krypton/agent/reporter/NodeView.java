package io.krypton.agent.reporter;

import io.krypton.agent.report.NodeReport;
import io.krypton.agent.report.PluginReport;
import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.PluginState;
import io.krypton.kms.probe.ProbeListener;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.verdict.Damping;
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
final class NodeView implements ProbeListener<Damping> {
  private static final Logger log = LoggerFactory.getLogger(NodeView.class);
  private static final int KEPT_TRANSITIONS = 64;

  private final ReporterSettings settings;
  private final Mailbox mailbox;
  private final Clock clock;
  private final ProbeMetrics metrics = new ProbeMetrics();
  private final Map<BigInteger, PluginView> plugins = new TreeMap<>(Comparator.reverseOrder());
  private final Deque<Transition> transitions = new ArrayDeque<>();

  NodeView(ReporterSettings settings, Mailbox mailbox, Clock clock) {
    this.settings = settings;
    this.mailbox = mailbox;
    this.clock = clock;
    settings
        .sockets()
        .forEach(socket -> plugins.put(socket.keyId(), PluginView.unknown(socket.keyId())));
  }

  ProbeMetrics metrics() {
    return metrics;
  }

  @Override
  public void onResult(PluginState<Damping> state, ProbeResult result) {
    metrics.count(result);
    change(
        new BigInteger(result.plugin()),
        before -> before.after(state, result, settings.keyIdFormat()));
    deliver();
  }

  @Override
  public void onTick(long number) {
    mailbox.update(sample -> sample.ticked(clock.instant()));
  }

  /** What the API server uses the plugins for; one that is not named has no known role. */
  synchronized void useRoles(Map<BigInteger, ProviderRole> roles) {
    for (var keyId : List.copyOf(plugins.keySet())) {
      change(keyId, before -> before.as(roles.get(keyId)));
    }
    deliver();
  }

  private synchronized void change(BigInteger keyId, UnaryOperator<PluginView> change) {
    var before = plugins.getOrDefault(keyId, PluginView.unknown(keyId));
    var after = change.apply(before);
    plugins.put(keyId, after);
    Transition.between(before, after).ifPresent(this::remember);
  }

  /** Under the lock, so that no report overtakes a newer one. */
  private synchronized void deliver() {
    report(List.copyOf(plugins.values()))
        .ifPresent(report -> mailbox.update(sample -> sample.with(report)));
  }

  private void remember(Transition transition) {
    transitions.addLast(transition);
    if (transitions.size() > KEPT_TRANSITIONS) {
      transitions.removeFirst();
    }
    (transition.isBad() ? log.atWarn() : log.atInfo())
        .addKeyValue("keyID", transition.to().keyId())
        .log("plugin {}", transition.words());
  }

  /** None until every plugin has been judged: half a report would pass for a whole one. */
  private Optional<NodeReport> report(List<PluginView> views) {
    var reports = new ArrayList<PluginReport>();
    for (var view : views) {
      if (view.judged().isEmpty()) {
        return Optional.empty();
      }
      reports.add(view.judged().get());
    }
    return Optional.of(
        new NodeReport(settings.nodeName(), settings.interval(), settings.lease(), reports));
  }

  /** Newest key id first. */
  synchronized List<PluginView> plugins() {
    return List.copyOf(plugins.values());
  }

  /** The last changes, oldest first. */
  synchronized List<Transition> transitions() {
    return List.copyOf(transitions);
  }
}

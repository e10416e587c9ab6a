package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.probing.Gatekeeper;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.settings.OnFatal;
import java.time.Duration;
import java.util.function.Supplier;

/** Everything that can be asked of a serving gate, from one snapshot per request. */
final class GatePages {
  private static final int MISSED_INTERVALS = 3;

  private final GateSettings settings;
  private final Gatekeeper gatekeeper;
  private final Supplier<String> logFault;
  private final HealthPages pages;
  private final MetricsPage metrics;
  private volatile boolean shuttingDown;

  GatePages(GateSettings settings, Gatekeeper gatekeeper, Supplier<String> logFault) {
    this.settings = settings;
    this.gatekeeper = gatekeeper;
    this.logFault = logFault;
    this.pages =
        new HealthPages(
            settings.kubeCompat(),
            settings.readOptions().automaticReload(),
            settings.exposeReasons());
    this.metrics = new MetricsPage(pages, gatekeeper);
  }

  void shutDown() {
    shuttingDown = true;
  }

  Reply answer(HealthPages.Request request) {
    var view = view();
    if (request.path().equals("/metrics")) {
      return metrics.reply(view);
    }
    var root = HealthPages.root(request.path());
    root.ifPresent(endpoint -> metrics.count(endpoint, view));
    return pages.answer(request, view);
  }

  private GateView view() {
    var judgement = gatekeeper.snapshot().at(gatekeeper.now());
    return new GateView(
        settings.onFatal() == OnFatal.PASS ? judgement.passingFatal() : judgement,
        logFault.get(),
        proberFault(gatekeeper.idle(), settings.interval()),
        shuttingDown);
  }

  static String proberFault(Duration idle, Duration interval) {
    return idle.compareTo(interval.multipliedBy(MISSED_INTERVALS)) > 0
        ? "prober loop has not advanced for %ds".formatted(idle.toSeconds())
        : "";
  }
}

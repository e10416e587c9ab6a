package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.serve.HealthPages.Response;
import java.time.Duration;
import java.util.function.Supplier;

/** Everything that can be asked of a serving gate, from one snapshot per request. */
final class GateRequestHandler {
  private static final int MISSED_INTERVALS = 3;

  private final GateSettings settings;
  private final GateController controller;
  private final Supplier<String> logFault;
  private final HealthPages pages;
  private final GateMetricsPage metrics;
  private volatile boolean shuttingDown;

  GateRequestHandler(
      GateSettings settings, GateController gateController, Supplier<String> logFault) {
    this.settings = settings;
    this.controller = gateController;
    this.logFault = logFault;
    this.pages =
        new HealthPages(
            settings.kubeCompat(),
            settings.readOptions().automaticReload(),
            settings.exposeReasons());
    this.metrics = new GateMetricsPage(pages, gateController);
  }

  void shutDown() {
    shuttingDown = true;
  }

  Response handle(HealthPages.Request request) {
    var view = view();
    if (request.path().equals("/metrics")) {
      return metrics.response(view);
    }
    var root = HealthPages.root(request.path());
    root.ifPresent(endpoint -> metrics.count(endpoint, view));
    return pages.respond(request, view);
  }

  private GateView view() {
    var gateStatus = controller.snapshot().at(controller.now());
    return new GateView(
        settings.onFatal() == OnFatal.PASS ? gateStatus.withFatalNotRequired() : gateStatus,
        logFault.get(),
        proberFault(controller.idle(), settings.interval()),
        shuttingDown);
  }

  static String proberFault(Duration idle, Duration interval) {
    return idle.compareTo(interval.multipliedBy(MISSED_INTERVALS)) > 0
        ? "prober loop has not advanced for %ds".formatted(idle.toSeconds())
        : "";
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.base.http.PageRequest;
import io.krypton.base.http.PageResponse;
import java.time.Duration;
import java.util.function.Supplier;

/** Responds to every request from one snapshot of the gate. */
final class GateRequestHandler {
  private static final int MISSED_INTERVALS = 3;

  private final GateSettings settings;
  private final GateController controller;
  private final Supplier<String> logFault;
  private final HealthPages pages;
  private final GateMetricsPage metrics;
  private volatile boolean shuttingDown;

  GateRequestHandler(GateSettings settings, GateController controller, Supplier<String> logFault) {
    this.settings = settings;
    this.controller = controller;
    this.logFault = logFault;
    this.pages =
        new HealthPages(
            settings.kubeCompat(),
            settings.readOptions().automaticReload(),
            settings.exposeReasons());
    this.metrics = new GateMetricsPage(pages, controller);
  }

  void shutDown() {
    shuttingDown = true;
  }

  PageResponse handle(PageRequest request) {
    var view = view();
    if (request.path().equals("/metrics")) {
      return metrics.response(view);
    }
    var root = HealthPages.root(request.path());
    root.ifPresent(endpoint -> metrics.count(endpoint, view));
    return pages.respond(request, view);
  }

  private GateView view() {
    var status = controller.snapshot().at(controller.now());
    return new GateView(
        settings.onFatal() == OnFatal.PASS ? status.withFatalNotRequired() : status,
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

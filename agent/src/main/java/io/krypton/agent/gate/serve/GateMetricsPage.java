// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.probe.GateController;
import io.krypton.agent.gate.serve.HealthChecks.GateView;
import io.krypton.agent.gate.serve.HealthChecks.HealthEndpoint;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.agent.http.PrometheusText;
import io.krypton.base.http.PageResponse;
import io.krypton.kms.health.Verdict;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.LongAdder;

/** The metrics of the gate, those of checks under the names that kube-apiserver uses. */
final class GateMetricsPage {
  private static final String CHECK = "kubernetes_healthcheck";
  private static final String CHECKS = "kubernetes_healthchecks_total";

  private final HealthPages pages;
  private final GateController controller;
  private final Map<Counted, LongAdder> counts = new ConcurrentSkipListMap<>();

  private record Counted(String name, String type, String status) implements Comparable<Counted> {
    @Override
    public int compareTo(Counted other) {
      return toString().compareTo(other.toString());
    }
  }

  GateMetricsPage(HealthPages pages, GateController controller) {
    this.pages = pages;
    this.controller = controller;
  }

  void count(HealthEndpoint endpoint, GateView view) {
    for (var check : pages.checks(endpoint, view)) {
      var counted = new Counted(check.name(), endpoint.value(), check.isOk() ? "success" : "error");
      counts.computeIfAbsent(counted, _ -> new LongAdder()).increment();
    }
  }

  PageResponse response(GateView view) {
    var text = new PrometheusText();
    checks(text, view);
    providers(text, view);
    var overall = "krypton_gate_overall_verdict";
    text.gauge(overall, "The worst of the required providers: 0 ok, 1 wait, 2 fatal.")
        .sample(overall, number(view.status().overall()));
    var waited = "krypton_gate_wait_seconds";
    text.gauge(waited, "Time until everything was ok for the first time.")
        .sample(waited, (double) controller.waitDuration().toMillis() / 1e3);
    var config = "krypton_gate_config_info";
    text.gauge(config, "The configuration in use.");
    var inUse = view.status().configuration().inUse();
    if (inUse != null) {
      text.sample(config, 1, "hash", inUse.hash());
    }
    return PageResponse.metrics(text + controller.metrics().text());
  }

  private void checks(PrometheusText text, GateView view) {
    text.gauge(CHECK, "Whether a check passes.");
    for (var endpoint : HealthEndpoint.values()) {
      for (var check : pages.checks(endpoint, view)) {
        text.sample(CHECK, check.isOk() ? 1 : 0, "name", check.name(), "type", endpoint.value());
      }
    }
    text.counter(CHECKS, "Total checks by result.");
    counts.forEach(
        (counted, count) ->
            text.sample(
                CHECKS,
                (double) count.sum(),
                "name",
                counted.name(),
                "type",
                counted.type(),
                "status",
                counted.status()));
  }

  private static void providers(PrometheusText text, GateView view) {
    var verdict = "krypton_gate_verdict";
    text.gauge(verdict, "0 ok, 1 wait, 2 fatal.");
    for (var state : view.status().providers()) {
      text.sample(verdict, number(state.verdict()), labels(state));
    }
    var degraded = "krypton_gate_degraded";
    text.gauge(degraded, "Providers that are ok with something missing.");
    for (var state : view.status().providers()) {
      state
          .degraded()
          .ifPresent(reason -> text.sample(degraded, 1, labels(state, "reason", reason)));
    }
    var probed = "krypton_gate_last_probe_timestamp_seconds";
    text.gauge(probed, "When the last probe began.");
    for (var state : view.status().providers()) {
      var observation = state.observation();
      if (observation != null) {
        text.sample(probed, (double) observation.lastProbe().getEpochSecond(), labels(state));
      }
    }
  }

  private static double number(Verdict verdict) {
    return switch (verdict) {
      case OK -> 0;
      case WAIT -> 1;
      case FATAL -> 2;
    };
  }

  private static String[] labels(ProviderStatus state, String... more) {
    var provider = state.provider();
    var labels = new String[6 + more.length];
    labels[0] = "provider_name";
    labels[1] = provider.name();
    labels[2] = "index";
    labels[3] = Integer.toString(provider.index());
    labels[4] = "role";
    labels[5] = provider.role().name();
    System.arraycopy(more, 0, labels, 6, more.length);
    return labels;
  }
}

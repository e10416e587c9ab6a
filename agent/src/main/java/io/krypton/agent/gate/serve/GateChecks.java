package io.krypton.agent.gate.serve;

import java.util.ArrayList;
import java.util.List;

/** The gate's own checks: each provider by itself, the configuration, the prober. */
record GateChecks() implements Checks {

  @Override
  public List<HealthCheck> of(HealthEndpoint endpoint, GateView view) {
    var checks = new ArrayList<HealthCheck>();
    checks.add(HealthCheck.of("ping", ""));
    checks.add(HealthCheck.of("log", view.logFault()));
    checks.add(HealthCheck.of("prober", view.proberFault()));
    if (endpoint.isAboutPlugins()) {
      checks.add(HealthCheck.of("config", view.judgement().complaint()));
      for (var state : view.judgement().providers()) {
        checks.add(Checks.provider(state, GROUP, state.isOk() ? "" : state.text()));
      }
    }
    if (endpoint == HealthEndpoint.READYZ) {
      checks.add(HealthCheck.of("shutdown", Checks.shutdownFault(view)));
    }
    return checks;
  }
}

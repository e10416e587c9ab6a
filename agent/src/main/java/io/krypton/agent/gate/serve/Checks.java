package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.snapshot.ProviderState;
import java.util.ArrayList;
import java.util.List;

/** Which checks a page has, in order. */
sealed interface Checks permits GateChecks, KubeChecks {
  String GROUP = "kms-providers";

  List<HealthCheck> of(HealthEndpoint endpoint, GateView view);

  /** What several providers say together: one bare, more as a list. */
  static String aggregate(List<HealthCheck> checks) {
    var faults = new ArrayList<String>();
    for (var check : checks) {
      if (!check.isOk()) {
        faults.add(check.name() + ": " + check.fault());
      }
    }
    return faults.size() <= 1 ? String.join("", faults) : "[" + String.join(", ", faults) + "]";
  }

  static String shutdownFault(GateView view) {
    return view.shuttingDown() ? "process is shutting down" : "";
  }

  static HealthCheck provider(ProviderState state, String group, String fault) {
    return new HealthCheck(
        state.provider().checkName(), group, fault, state.provider().required(), state);
  }
}

package io.krypton.agent.gate.serve;

import io.krypton.kms.protocol.KmsApi;
import java.util.ArrayList;
import java.util.List;

/**
 * The checks of kube-apiserver under the same names: one per provider as long as there is a v1
 * provider and no reload, else one for all.
 */
record KubeChecks(boolean automaticReload) implements Checks {

  @Override
  public List<HealthCheck> of(HealthEndpoint endpoint, GateView view) {
    var checks = new ArrayList<HealthCheck>();
    checks.add(HealthCheck.of("ping", ""));
    checks.add(HealthCheck.of("log", view.logFault()));
    if (endpoint.isAboutPlugins()) {
      checks.addAll(kms(view));
    }
    if (endpoint == HealthEndpoint.READYZ) {
      checks.add(HealthCheck.of("shutdown", Checks.shutdownFault(view)));
    }
    return checks;
  }

  private List<HealthCheck> kms(GateView view) {
    if (view.judgement().configuration().inUse() == null) {
      return List.of(HealthCheck.of(GROUP, view.judgement().complaint()));
    }
    var each =
        view.judgement().providers().stream()
            .map(state -> Checks.provider(state, "", state.isOk() ? "" : KubeTexts.of(state)))
            .toList();
    var anyV1 =
        view.judgement().providers().stream()
            .anyMatch(state -> state.provider().api() == KmsApi.V1);
    if (!automaticReload && (anyV1 || each.isEmpty())) {
      return each;
    }
    var required = each.stream().filter(HealthCheck::required).toList();
    return List.of(HealthCheck.of(GROUP, Checks.aggregate(required)));
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.status.GateStatus;
import io.krypton.agent.gate.status.KubeStatus;
import io.krypton.agent.gate.status.KubeStatus.GoRpcError;
import io.krypton.agent.gate.status.ProviderStatus;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.RpcCode;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which checks a page has, in order. */
sealed interface HealthChecks {
  String GROUP = "kms-providers";

  List<Check> of(HealthEndpoint endpoint, GateView view);

  /** What several providers say together: one bare, more as a list. */
  static String aggregate(List<Check> checks) {
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

  static Check provider(ProviderStatus state, String group, String fault) {
    return new Check(
        state.provider().checkName(), group, fault, state.provider().required(), state);
  }

  /** The gate's own checks: each provider by itself, the configuration, the prober. */
  record GateChecks() implements HealthChecks {

    @Override
    public List<Check> of(HealthEndpoint endpoint, GateView view) {
      var checks = new ArrayList<Check>();
      checks.add(Check.of("ping", ""));
      checks.add(Check.of("log", view.logFault()));
      checks.add(Check.of("prober", view.proberFault()));
      if (endpoint.includesPlugins()) {
        checks.add(Check.of("config", view.status().configurationError()));
        for (var state : view.status().providers()) {
          checks.add(HealthChecks.provider(state, GROUP, state.isOk() ? "" : state.text()));
        }
      }
      if (endpoint == HealthEndpoint.READYZ) {
        checks.add(Check.of("shutdown", HealthChecks.shutdownFault(view)));
      }
      return checks;
    }
  }

  /**
   * All that an answer depends on, read once at the start of a request.
   *
   * @param logFault what is wrong with the log; empty if nothing is
   * @param proberFault what is wrong with the prober; empty if nothing is
   */
  record GateView(GateStatus status, String logFault, String proberFault, boolean shuttingDown) {}

  /**
   * One check of a page.
   *
   * @param group under which it can be excluded with others; empty for none
   * @param fault what is wrong; empty if nothing is
   * @param required whether the fault counts for the page
   */
  record Check(
      String name,
      String group,
      String fault,
      boolean required,
      @Nullable ProviderStatus provider) {
    static Check of(String name, String fault) {
      return new Check(name, "", fault, true, null);
    }

    boolean isOk() {
      return fault.isEmpty();
    }

    boolean fails() {
      return !isOk() && required;
    }
  }

  /** The three pages of checks. */
  enum HealthEndpoint {
    LIVEZ,
    HEALTHZ,
    READYZ;

    String value() {
      return name().toLowerCase(Locale.ROOT);
    }

    String path() {
      return "/" + value();
    }

    boolean includesPlugins() {
      return this != LIVEZ;
    }
  }

  /**
   * The checks of kube-apiserver under the same names: one per provider as long as there is a v1
   * provider and no reload, else one for all.
   */
  record KubeChecks(boolean automaticReload) implements HealthChecks {

    @Override
    public List<Check> of(HealthEndpoint endpoint, GateView view) {
      var checks = new ArrayList<Check>();
      checks.add(Check.of("ping", ""));
      checks.add(Check.of("log", view.logFault()));
      if (endpoint.includesPlugins()) {
        checks.addAll(kms(view));
      }
      if (endpoint == HealthEndpoint.READYZ) {
        checks.add(Check.of("shutdown", HealthChecks.shutdownFault(view)));
      }
      return checks;
    }

    private List<Check> kms(GateView view) {
      if (view.status().configuration().inUse() == null) {
        return List.of(Check.of(GROUP, view.status().configurationError()));
      }
      var each =
          view.status().providers().stream()
              .map(
                  state ->
                      HealthChecks.provider(state, "", state.isOk() ? "" : KubeMessages.of(state)))
              .toList();
      var anyV1 =
          view.status().providers().stream()
              .anyMatch(state -> state.provider().api() == KmsApiVersion.V1);
      if (!automaticReload && (anyV1 || each.isEmpty())) {
        return each;
      }
      var required = each.stream().filter(Check::required).toList();
      return List.of(Check.of(GROUP, HealthChecks.aggregate(required)));
    }
  }

  /** The message of kube-apiserver for a failing provider, where it has one. */
  final class KubeMessages {
    private KubeMessages() {}

    static String of(ProviderStatus state) {
      var probeFinding = state.finding();
      if (probeFinding == null) {
        return state.text();
      }
      return state.provider().api() == KmsApiVersion.V1
          ? v1(state, probeFinding)
          : v2(state, probeFinding);
    }

    private static String v1(ProviderStatus state, ProbeFinding probeFinding) {
      var section =
          probeFinding.phase() == ProbePhase.DECRYPT || probeFinding.phase() == ProbePhase.CANARY
              ? "decrypt"
              : "encrypt";
      return section(section, state, error(probeFinding));
    }

    private static String v2(ProviderStatus state, ProbeFinding probeFinding) {
      var observation = state.observation();
      var status = observation == null ? KubeStatus.OK : observation.kubeStatus();
      if (!status.callError().isEmpty()) {
        return section("status", state, status.callError());
      }
      var faults = status.faults().isEmpty() ? List.of(fault(probeFinding)) : status.faults();
      return "kmsv2 Provider %s is not healthy, error: %s"
          .formatted(
              state.provider().name(),
              faults.size() == 1 ? faults.getFirst() : "[" + String.join(", ", faults) + "]");
    }

    private static String section(String section, ProviderStatus state, String error) {
      return "failed to perform %s section of the healthz check for KMS Provider %s, error: %s"
          .formatted(section, state.provider().name(), error);
    }

    /** Encrypt as in kube-apiserver, which checks nothing else. */
    private static String fault(ProbeFinding probeFinding) {
      return probeFinding.phase() == ProbePhase.ENCRYPT && probeFinding.reason().isCallEnd()
          ? "failed to encrypt DEK, error: " + error(probeFinding)
          : probeFinding.reason().value() + ": " + probeFinding.message();
    }

    private static String error(ProbeFinding probeFinding) {
      var code =
          Arrays.stream(RpcCode.values())
              .filter(known -> known.name().equals(probeFinding.code()))
              .findFirst()
              .orElse(RpcCode.UNAVAILABLE);
      return GoRpcError.format(code, probeFinding.message());
    }
  }
}

package io.krypton.agent.gate.serve;

import io.krypton.agent.gate.snapshot.GoCode;
import io.krypton.agent.gate.snapshot.KubeStatus;
import io.krypton.agent.gate.snapshot.ProviderState;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.RpcCode;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import java.util.Arrays;
import java.util.List;

/** The words of kube-apiserver for a failing provider, as far as it has words for it. */
final class KubeTexts {
  private KubeTexts() {}

  static String of(ProviderState state) {
    var finding = state.finding();
    if (finding == null) {
      return state.text();
    }
    return state.provider().api() == KmsApi.V1 ? v1(state, finding) : v2(state, finding);
  }

  private static String v1(ProviderState state, Finding finding) {
    var section =
        finding.phase() == Phase.DECRYPT || finding.phase() == Phase.CANARY ? "decrypt" : "encrypt";
    return section(section, state, error(finding));
  }

  private static String v2(ProviderState state, Finding finding) {
    var observed = state.observed();
    var status = observed == null ? KubeStatus.GOOD : observed.kubeText();
    if (!status.call().isEmpty()) {
      return section("status", state, status.call());
    }
    var faults = status.faults().isEmpty() ? List.of(fault(finding)) : status.faults();
    return "kmsv2 Provider %s is not healthy, error: %s"
        .formatted(
            state.provider().name(),
            faults.size() == 1 ? faults.getFirst() : "[" + String.join(", ", faults) + "]");
  }

  private static String section(String section, ProviderState state, String error) {
    return "failed to perform %s section of the healthz check for KMS Provider %s, error: %s"
        .formatted(section, state.provider().name(), error);
  }

  /** Encrypt as kube-apiserver says it; it has no words for the rest because it does not look. */
  private static String fault(Finding finding) {
    return finding.phase() == Phase.ENCRYPT && finding.reason().isCallEnd()
        ? "failed to encrypt DEK, error: " + error(finding)
        : finding.reason().word() + ": " + finding.message();
  }

  private static String error(Finding finding) {
    var code =
        Arrays.stream(RpcCode.values())
            .filter(known -> known.name().equals(finding.code()))
            .findFirst()
            .orElse(RpcCode.UNAVAILABLE);
    return GoCode.error(code, finding.message());
  }
}

package io.krypton.agent.gate.snapshot;

import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;
import org.jspecify.annotations.Nullable;

/** Adds to a hint what only the configuration can tell. */
final class Hints {
  private Hints() {}

  static @Nullable Finding improve(
      GateProvider provider, @Nullable Finding finding, Verdict verdict) {
    if (finding == null) {
      return null;
    }
    if (finding.reason() == Reason.SOCKET_MISSING && !droppedHost(provider).isEmpty()) {
      return finding.withHint(
          "\"%s\" is read as a host and dropped, the address in use is \"%s\"; %s"
              .formatted(droppedHost(provider), provider.address(), finding.hint()));
    }
    if (provider.role() == ProviderRole.WRITE) {
      return finding;
    }
    if (provider.api() == KmsApi.V2 && isEncryptRefusal(finding)) {
      return finding.withHint(
          "API server cannot read data of %s after restart; %s"
              .formatted(provider.name(), finding.hint()));
    }
    var decryptOnly =
        provider.api() == KmsApi.V1 && verdict == Verdict.OK && finding.verdict() == Verdict.OK;
    return decryptOnly && finding.reason() != Reason.OLD_KEY_UNREADABLE
        ? finding.withHint(
            "kube-apiserver still reports %s as failed, ask it with exclude=%s"
                .formatted(provider.checkName(), provider.checkName()))
        : finding;
  }

  private static String droppedHost(GateProvider provider) {
    return provider.configured().endpoint().droppedHost();
  }

  private static boolean isEncryptRefusal(Finding finding) {
    return finding.phase() == Phase.ENCRYPT && finding.reason().isCallEnd();
  }
}

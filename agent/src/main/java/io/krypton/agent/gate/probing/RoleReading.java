package io.krypton.agent.gate.probing;

import io.krypton.kms.encryption.ProviderRole;
import io.krypton.kms.probe.ProbeResult;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Reason;
import io.krypton.kms.verdict.Verdict;

/**
 * What a probe means for a provider of which only old data is read. An API server cannot read
 * through a v2 provider that never encrypted in its life, but goes on reading if it once did; v1
 * needs no Encrypt for reading at all. A running API server takes up no changed file with a
 * provider that cannot encrypt, whatever its role.
 */
final class RoleReading {
  private RoleReading() {}

  /** The outcome as it counts. */
  static Outcome read(ProviderRole role, KmsApi api, ProbeResult result, Moment moment) {
    if (role == ProviderRole.WRITE
        || moment == Moment.RELOAD
        || !(result.outcome() instanceof Outcome.Failing(Finding finding))
        || !isEncryptRefused(finding)) {
      return result.outcome();
    }
    return switch (api) {
      case V2 -> moment == Moment.RUNNING ? degraded(finding) : result.outcome();
      case V1 -> result.decryptProven() ? degraded(finding) : unproven(finding);
    };
  }

  private static boolean isEncryptRefused(Finding finding) {
    return finding.phase() == Phase.ENCRYPT
        && finding.verdict() == Verdict.FATAL
        && finding.reason().isCallEnd();
  }

  private static Outcome degraded(Finding finding) {
    return new Outcome.Failing(finding.withVerdict(Verdict.OK));
  }

  private static Outcome unproven(Finding refused) {
    var reason = Reason.DECRYPT_UNPROVEN;
    return new Outcome.Failing(
        new Finding(
            reason, refused.phase(), refused.code(), Verdict.OK, refused.message(), reason.hint()));
  }
}

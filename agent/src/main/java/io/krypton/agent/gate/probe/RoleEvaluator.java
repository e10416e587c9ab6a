// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.probe;

import io.krypton.kms.config.EncryptionConfiguration.ProviderRole;
import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.Reason;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.PluginProbeResult;
import io.krypton.kms.rpc.KmsApiVersion;

/**
 * What a probe means for a provider of which only old data is read. An API server cannot read
 * through a v2 provider that never encrypted in its life, but goes on reading if it once did; v1
 * needs no Encrypt for reading at all. A running API server takes up no changed file with a
 * provider that cannot encrypt, whatever its role.
 */
final class RoleEvaluator {
  private RoleEvaluator() {}

  /** The outcome as it counts. */
  static ProbeOutcome evaluate(
      ProviderRole role,
      KmsApiVersion api,
      PluginProbeResult result,
      ApiServerPhase apiServerPhase) {
    if (role == ProviderRole.WRITE
        || apiServerPhase == ApiServerPhase.RELOAD
        || !(result.outcome() instanceof ProbeOutcome.Failing(ProbeFinding probeFinding))
        || !isEncryptRefused(probeFinding)) {
      return result.outcome();
    }
    return switch (api) {
      case V2 ->
          apiServerPhase == ApiServerPhase.RUNNING ? degraded(probeFinding) : result.outcome();
      case V1 -> result.decryptProven() ? degraded(probeFinding) : unproven(probeFinding);
    };
  }

  private static boolean isEncryptRefused(ProbeFinding probeFinding) {
    return probeFinding.phase() == ProbePhase.ENCRYPT
        && probeFinding.verdict() == Verdict.FATAL
        && probeFinding.reason().isCallEnd();
  }

  private static ProbeOutcome degraded(ProbeFinding probeFinding) {
    return new ProbeOutcome.Failing(probeFinding.withVerdict(Verdict.OK));
  }

  private static ProbeOutcome unproven(ProbeFinding refused) {
    var reason = Reason.DECRYPT_UNPROVEN;
    return new ProbeOutcome.Failing(
        new ProbeFinding(
            reason, refused.phase(), refused.code(), Verdict.OK, refused.message(), reason.hint()));
  }

  /** In which of its moments an API server meets a plugin; each asks something else of a reader. */
  enum ApiServerPhase {
    /** It starts with the file. */
    START,
    /** It runs and takes up a changed file by itself, for which every provider must encrypt. */
    RELOAD,
    /** It runs with the file. */
    RUNNING
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import io.krypton.kms.health.ProbeFinding;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome;
import io.krypton.kms.health.Verdict;
import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.probe.PluginProbe.PluginSpec;
import io.krypton.kms.probe.PluginProbe.ProbeTools;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.KmsClient.RpcResult;
import java.util.List;
import java.util.Optional;

/** One deep probe: a fresh sample there and back, the two key ids, the canaries. */
final class RoundTrip {
  private static final int SAMPLE_BYTES = 32;

  private final PluginSpec spec;
  private final KmsClient client;
  private final CallRecorder calls;
  private final PluginCanaries pluginCanaries;
  private final ProbeTools tools;
  private boolean decryptProven;

  RoundTrip(
      PluginSpec spec,
      KmsClient client,
      CallRecorder calls,
      PluginCanaries pluginCanaries,
      ProbeTools tools) {
    this.spec = spec;
    this.client = client;
    this.calls = calls;
    this.pluginCanaries = pluginCanaries;
    this.tools = tools;
  }

  boolean decryptProven() {
    return decryptProven;
  }

  /** The first thing found wrong, in the order of the table of verdicts. */
  ProbeOutcome run(String statusKeyId) throws InterruptedException {
    var wrong = firstFinding(statusKeyId);
    if (wrong.isPresent()) {
      return new ProbeOutcome.Failing(wrong.get());
    }
    var unreadable = pluginCanaries.unreadable();
    return unreadable.isEmpty() ? ProbeOutcome.GOOD : tools.rules().oldKeysUnreadable(unreadable);
  }

  private Optional<ProbeFinding> firstFinding(String statusKeyId) throws InterruptedException {
    var plaintext = new byte[SAMPLE_BYTES];
    tools.random().nextBytes(plaintext);
    return switch (calls.encrypt(client, plaintext, spec.timeout())) {
      case RpcResult.Failure<EncryptedSample>(CallFailure why) ->
          encryptRefused(tools.rules().failedCall(ProbePhase.ENCRYPT, why), statusKeyId);
      case RpcResult.Success<EncryptedSample>(EncryptedSample sample) ->
          verify(plaintext, sample, statusKeyId);
    };
  }

  /**
   * A v1 plugin may be there to decrypt only, which kube-apiserver can live with, so that the
   * canaries still have something to prove.
   */
  private Optional<ProbeFinding> encryptRefused(ProbeFinding refused, String statusKeyId)
      throws InterruptedException {
    var decryptOnly = spec.api() == KmsApiVersion.V1 && refused.verdict() == Verdict.FATAL;
    return decryptOnly
        ? tryCanaries(pluginCanaries.selectForProbe(statusKeyId), statusKeyId)
            .or(() -> Optional.of(refused))
        : Optional.of(refused);
  }

  private Optional<ProbeFinding> verify(
      byte[] plaintext, EncryptedSample sample, String statusKeyId) throws InterruptedException {
    var wrong = tools.rules().encrypted(spec.api(), plaintext, sample);
    if (wrong.isPresent()) {
      return wrong;
    }
    wrong = decrypted(plaintext, sample);
    if (wrong.isPresent()) {
      return wrong;
    }
    decryptProven = true;
    wrong = keyIdMismatch(statusKeyId, sample.keyId());
    if (wrong.isPresent()) {
      return wrong;
    }
    // The new key gets its canary whatever becomes of the older ones.
    var earlier = pluginCanaries.selectForProbe(sample.keyId());
    pluginCanaries.keep(sample, plaintext, tools.clock().instant());
    return tryCanaries(earlier, sample.keyId());
  }

  private Optional<ProbeFinding> decrypted(byte[] plaintext, EncryptedSample sample)
      throws InterruptedException {
    return switch (calls.decrypt(client, sample, spec.timeout())) {
      case RpcResult.Failure<byte[]>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(ProbePhase.DECRYPT, why));
      case RpcResult.Success<byte[]>(byte[] back) -> tools.rules().decrypted(plaintext, back);
    };
  }

  /** The key may have changed since Status was asked, so that it is asked once more. */
  private Optional<ProbeFinding> keyIdMismatch(String statusKeyId, String encryptKeyId)
      throws InterruptedException {
    if (spec.api() == KmsApiVersion.V1 || encryptKeyId.equals(statusKeyId)) {
      return Optional.empty();
    }
    return switch (calls.status(client, spec.timeout())) {
      case RpcResult.Failure<PluginStatus>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(ProbePhase.STATUS, why));
      case RpcResult.Success<PluginStatus>(PluginStatus again) ->
          encryptKeyId.equals(again.keyId())
              ? Optional.empty()
              : Optional.of(tools.rules().keyIdMismatch(again.keyId(), encryptKeyId));
    };
  }

  /** What is wrong with the current key; older keys that fail are left to the canaries. */
  private Optional<ProbeFinding> tryCanaries(List<Canary> earlier, String currentKeyId)
      throws InterruptedException {
    for (var canary : earlier) {
      var current = canary.keyId().equals(currentKeyId);
      var wrong = tryCanary(canary);
      if (wrong.isPresent() && (current || wrong.get().phase() == ProbePhase.CONNECT)) {
        return wrong.map(why -> tools.rules().canaryFailed(canary.keyId(), why));
      }
      decryptProven |= current;
      if (!current) {
        pluginCanaries.recordResult(canary, wrong);
      }
    }
    return Optional.empty();
  }

  private Optional<ProbeFinding> tryCanary(Canary canary) throws InterruptedException {
    return switch (calls.decrypt(client, canary.sample(), spec.timeout())) {
      case RpcResult.Failure<byte[]>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(ProbePhase.CANARY, why));
      case RpcResult.Success<byte[]>(byte[] back) ->
          canary.matches(back) ? Optional.empty() : Optional.of(tools.rules().canaryChanged());
    };
  }
}

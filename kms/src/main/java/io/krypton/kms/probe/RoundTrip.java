package io.krypton.kms.probe;

import io.krypton.kms.protocol.Answer;
import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.KmsClient;
import io.krypton.kms.protocol.PluginStatus;
import io.krypton.kms.verdict.Finding;
import io.krypton.kms.verdict.Outcome;
import io.krypton.kms.verdict.Phase;
import io.krypton.kms.verdict.Verdict;
import java.util.List;
import java.util.Optional;

/** One deep probe: a fresh sample there and back, the two key ids, the canaries. */
final class RoundTrip {
  private static final int SAMPLE_BYTES = 32;

  private final PluginSpec spec;
  private final KmsClient client;
  private final RecordedCalls calls;
  private final Canaries canaries;
  private final ProbeTools tools;
  private boolean decryptProven;

  RoundTrip(
      PluginSpec spec, KmsClient client, RecordedCalls calls, Canaries canaries, ProbeTools tools) {
    this.spec = spec;
    this.client = client;
    this.calls = calls;
    this.canaries = canaries;
    this.tools = tools;
  }

  boolean decryptProven() {
    return decryptProven;
  }

  /** The first thing found wrong, in the order of the table of verdicts. */
  Outcome run(String statusKeyId) throws InterruptedException {
    var wrong = firstFinding(statusKeyId);
    if (wrong.isPresent()) {
      return new Outcome.Failing(wrong.get());
    }
    var unreadable = canaries.unreadable();
    return unreadable.isEmpty() ? Outcome.GOOD : tools.rules().oldKeysUnreadable(unreadable);
  }

  private Optional<Finding> firstFinding(String statusKeyId) throws InterruptedException {
    var plaintext = new byte[SAMPLE_BYTES];
    tools.random().nextBytes(plaintext);
    return switch (calls.encrypt(client, plaintext, spec.timeout())) {
      case Answer.Failure<EncryptedSample>(CallFailure why) ->
          encryptRefused(tools.rules().failedCall(Phase.ENCRYPT, why), statusKeyId);
      case Answer.Message<EncryptedSample>(EncryptedSample sample) ->
          tried(plaintext, sample, statusKeyId);
    };
  }

  /**
   * A v1 plugin may be there to decrypt only, which kube-apiserver can live with, so that the
   * canaries still have something to prove.
   */
  private Optional<Finding> encryptRefused(Finding refused, String statusKeyId)
      throws InterruptedException {
    var decryptOnly = spec.api() == KmsApi.V1 && refused.verdict() == Verdict.FATAL;
    return decryptOnly
        ? tryCanaries(canaries.toTry(statusKeyId), statusKeyId).or(() -> Optional.of(refused))
        : Optional.of(refused);
  }

  private Optional<Finding> tried(byte[] plaintext, EncryptedSample sample, String statusKeyId)
      throws InterruptedException {
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
    var earlier = canaries.toTry(sample.keyId());
    canaries.keep(sample, plaintext, tools.clock().instant());
    return tryCanaries(earlier, sample.keyId());
  }

  private Optional<Finding> decrypted(byte[] plaintext, EncryptedSample sample)
      throws InterruptedException {
    return switch (calls.decrypt(client, sample, spec.timeout())) {
      case Answer.Failure<byte[]>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(Phase.DECRYPT, why));
      case Answer.Message<byte[]>(byte[] back) -> tools.rules().decrypted(plaintext, back);
    };
  }

  /** The key may have changed since Status was asked, so that it is asked once more. */
  private Optional<Finding> keyIdMismatch(String statusKeyId, String encryptKeyId)
      throws InterruptedException {
    if (spec.api() == KmsApi.V1 || encryptKeyId.equals(statusKeyId)) {
      return Optional.empty();
    }
    return switch (calls.status(client, spec.timeout())) {
      case Answer.Failure<PluginStatus>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(Phase.STATUS, why));
      case Answer.Message<PluginStatus>(PluginStatus again) ->
          encryptKeyId.equals(again.keyId())
              ? Optional.empty()
              : Optional.of(tools.rules().keyIdMismatch(again.keyId(), encryptKeyId));
    };
  }

  /** What is wrong with the current key; older keys that fail are left to the canaries. */
  private Optional<Finding> tryCanaries(List<Canary> earlier, String currentKeyId)
      throws InterruptedException {
    for (var canary : earlier) {
      var current = canary.keyId().equals(currentKeyId);
      var wrong = tryCanary(canary);
      if (wrong.isPresent() && (current || wrong.get().phase() == Phase.CONNECT)) {
        return wrong.map(why -> tools.rules().canaryFailed(canary.keyId(), why));
      }
      decryptProven |= current;
      if (!current) {
        canaries.tried(canary, wrong);
      }
    }
    return Optional.empty();
  }

  private Optional<Finding> tryCanary(Canary canary) throws InterruptedException {
    return switch (calls.decrypt(client, canary.sample(), spec.timeout())) {
      case Answer.Failure<byte[]>(CallFailure why) ->
          Optional.of(tools.rules().failedCall(Phase.CANARY, why));
      case Answer.Message<byte[]>(byte[] back) ->
          canary.isFrom(back) ? Optional.empty() : Optional.of(tools.rules().canaryChanged());
    };
  }
}

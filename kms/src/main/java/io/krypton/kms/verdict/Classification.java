package io.krypton.kms.verdict;

import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginStatus;
import java.security.MessageDigest;
import java.util.Optional;
import java.util.Set;

/** Turns what a plugin did into a finding; the same for everybody who asks. */
public record Classification(FatalPatterns patterns) {
  private static final String HEALTHY = "ok";
  private static final Set<String> V2_VERSIONS = Set.of("v2", "v2beta1");
  private static final String V1_VERSION = "v1beta1";

  public Optional<Finding> address(Endpoint endpoint) {
    return endpoint
        .whyUnusable()
        .map(why -> Finding.of(Reason.ADDRESS_UNUSABLE, Phase.ADDRESS, "", why));
  }

  /** A call of the given phase that brought no answer. */
  public Finding failedCall(Phase phase, CallFailure failure) {
    return switch (failure) {
      case CallFailure.NoConnection none ->
          Finding.of(SocketReason.of(none.fault()), Phase.CONNECT, none.errno(), none.text());
      case CallFailure.NotGrpc other ->
          Finding.of(Reason.NOT_GRPC, Phase.CONNECT, "", other.text());
      case CallFailure.NoMessage() ->
          Finding.of(
              Reason.NIL_RESPONSE,
              phase,
              "",
              "kms plugin returned nil %s response".formatted(phase.word()));
      case CallFailure.Rpc rpc -> {
        var reason = RpcReason.of(rpc.code());
        yield RemoteKmsHints.improve(
            Finding.of(reason, phase, rpc.code().name(), rpc.text())
                .withVerdict(patterns.raise(reason.verdict(), rpc.text())));
      }
    };
  }

  /**
   * An answer to Status or Version.
   *
   * @param firstVersion the version of the first good answer; empty if there was none yet
   */
  public Optional<Finding> status(KmsApi api, PluginStatus status, String firstVersion) {
    return switch (api) {
      case V1 ->
          status.version().equals(V1_VERSION) ? Optional.empty() : badVersion(status, V1_VERSION);
      case V2 -> health(status).or(() -> version(status, firstVersion)).or(() -> keyId(status));
    };
  }

  /** Whether kube-apiserver knows this version of the API. */
  public boolean accepts(KmsApi api, String version) {
    return api == KmsApi.V1 ? version.equals(V1_VERSION) : V2_VERSIONS.contains(version);
  }

  private Optional<Finding> health(PluginStatus status) {
    var healthz = status.healthz();
    if (healthz.equals(HEALTHY)) {
      return Optional.empty();
    }
    var text = healthz.isEmpty() ? "healthz is empty" : healthz;
    return Optional.of(
        RemoteKmsHints.improve(
            Finding.of(Reason.NOT_OK, Phase.STATUS, "", text)
                .withVerdict(patterns.raise(Verdict.WAIT, healthz))));
  }

  private static Optional<Finding> version(PluginStatus status, String firstVersion) {
    if (!V2_VERSIONS.contains(status.version())) {
      return badVersion(status, "v2 or v2beta1");
    }
    return firstVersion.isEmpty() || firstVersion.equals(status.version())
        ? Optional.empty()
        : Optional.of(
            Finding.of(
                Reason.VERSION_CHANGED,
                Phase.VERSION,
                "",
                "version changed from %s to %s".formatted(firstVersion, status.version())));
  }

  private static Optional<Finding> badVersion(PluginStatus status, String expected) {
    return Optional.of(
        Finding.of(
            Reason.BAD_VERSION,
            Phase.VERSION,
            "",
            "version is \"%s\", expected %s".formatted(status.version(), expected)));
  }

  private static Optional<Finding> keyId(PluginStatus status) {
    if (status.keyId().isEmpty()) {
      return Optional.of(Finding.of(Reason.EMPTY_KEY_ID, Phase.KEY_ID, "", "key_id is empty"));
    }
    return AnswerLimits.keyIdFault(status.keyId())
        .map(fault -> Finding.of(Reason.KEY_ID_TOO_LONG, Phase.KEY_ID, "", fault));
  }

  /** An answer to Encrypt. */
  public Optional<Finding> encrypted(KmsApi api, byte[] plaintext, EncryptedSample sample) {
    var fault = AnswerLimits.encryptFault(api, sample);
    if (fault.isPresent()) {
      return Optional.of(Finding.of(Reason.BAD_ENCRYPT_RESPONSE, Phase.ENCRYPT, "", fault.get()));
    }
    return MessageDigest.isEqual(plaintext, sample.ciphertext())
        ? Optional.of(
            Finding.of(
                Reason.NOT_ENCRYPTED,
                Phase.ENCRYPT,
                "",
                "the ciphertext is the plaintext, unchanged"))
        : Optional.empty();
  }

  /** An answer to Decrypt; compared in constant time. */
  public Optional<Finding> decrypted(byte[] expected, byte[] decrypted) {
    return MessageDigest.isEqual(expected, decrypted)
        ? Optional.empty()
        : Optional.of(
            Finding.of(
                Reason.DECRYPT_MISMATCH,
                Phase.DECRYPT,
                "",
                "Decrypt returned other bytes than were encrypted"));
  }

  public Finding keyIdMismatch(String statusKeyId, String encryptKeyId) {
    return Finding.of(
        Reason.KEY_ID_MISMATCH,
        Phase.KEY_ID_MISMATCH,
        "",
        "Status names key %s, Encrypt used key %s"
            .formatted(KeyIdHash.brief(statusKeyId), KeyIdHash.brief(encryptKeyId)));
  }

  /** A canary that got an error instead of an answer. */
  public Finding canaryFailed(boolean currentKey, String keyId, CallFailure failure) {
    var why = failedCall(Phase.CANARY, failure);
    if (why.phase() == Phase.CONNECT) {
      return why;
    }
    return canary(currentKey, keyId, why.code(), why.verdict(), why.message());
  }

  /** A canary that was decrypted to other bytes. */
  public Finding canaryChanged(boolean currentKey, String keyId) {
    return canary(currentKey, keyId, "", Verdict.FATAL, "Decrypt returned other bytes");
  }

  private static Finding canary(
      boolean currentKey, String keyId, String code, Verdict verdict, String why) {
    var reason = currentKey ? Reason.CANARY_FAILED : Reason.OLD_KEY_UNREADABLE;
    var of = keyId.isEmpty() ? "" : " of key " + KeyIdHash.brief(keyId);
    return Finding.of(reason, Phase.CANARY, code, "the sample" + of + ": " + why)
        .withVerdict(currentKey ? verdict : reason.verdict());
  }
}

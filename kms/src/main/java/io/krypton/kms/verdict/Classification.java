package io.krypton.kms.verdict;

import io.krypton.kms.protocol.CallFailure;
import io.krypton.kms.protocol.EncryptedSample;
import io.krypton.kms.protocol.Endpoint;
import io.krypton.kms.protocol.KmsApi;
import io.krypton.kms.protocol.PluginStatus;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

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

  /** A canary of the current key that failed, however it did. */
  public Finding canaryFailed(String keyId, Finding why) {
    if (why.phase() == Phase.CONNECT) {
      return why;
    }
    var of = keyId.isEmpty() ? "" : " of key " + KeyIdHash.brief(keyId);
    var message = "the sample%s: %s".formatted(of, why.message());
    return Finding.of(Reason.CANARY_FAILED, Phase.CANARY, why.code(), message)
        .withVerdict(why.verdict());
  }

  /** A canary that was decrypted to other bytes. */
  public Finding canaryChanged() {
    return Finding.of(Reason.DECRYPT_MISMATCH, Phase.CANARY, "", "Decrypt returned other bytes");
  }

  /** All is good with the current key; data of these older ones cannot be decrypted. */
  public Outcome oldKeysUnreadable(List<UnreadableKey> keys) {
    var named = keys.stream().map(UnreadableKey::toString).collect(Collectors.joining("; "));
    return new Outcome.OldKeysUnreadable(
        Finding.of(
            Reason.OLD_KEY_UNREADABLE,
            Phase.CANARY,
            "",
            "cannot decrypt data of older key%s %s".formatted(keys.size() == 1 ? "" : "s", named)),
        keys.stream().map(key -> KeyIdHash.of(key.keyId())).toList());
  }
}

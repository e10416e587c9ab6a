// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.base.kmsreport.KeyHash;
import io.krypton.kms.health.ProbeFinding.ProbePhase;
import io.krypton.kms.health.ProbeOutcome.UnreadableKey;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import io.krypton.kms.rpc.KmsClient.PluginStatus;
import io.krypton.kms.rpc.RpcCode;
import java.security.MessageDigest;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** Turns what a plugin did into a finding; the same for everybody who asks. */
public record FailureClassifier(FatalPatterns patterns) {
  private static final String HEALTHY = "ok";
  private static final Set<String> V2_VERSIONS = Set.of("v2", "v2beta1");
  private static final String V1_VERSION = "v1beta1";

  public Optional<ProbeFinding> address(Endpoint endpoint) {
    return endpoint
        .unusableReason()
        .map(why -> ProbeFinding.of(Reason.ADDRESS_UNUSABLE, ProbePhase.ADDRESS, "", why));
  }

  /** A call of the given phase that brought no answer. */
  public ProbeFinding failedCall(ProbePhase probePhase, CallFailure failure) {
    return switch (failure) {
      case CallFailure.NoConnection none ->
          ProbeFinding.of(
              SocketReasons.of(none.fault()), ProbePhase.CONNECT, none.errno(), none.text());
      case CallFailure.NotGrpc other ->
          ProbeFinding.of(Reason.NOT_GRPC, ProbePhase.CONNECT, "", other.text());
      case CallFailure.NoMessage() ->
          ProbeFinding.of(
              Reason.NIL_RESPONSE,
              probePhase,
              "",
              "kms plugin returned nil %s response".formatted(probePhase.value()));
      case CallFailure.Rpc rpc -> {
        var reason = RpcReasons.of(rpc.code());
        yield RemoteKmsHints.addHint(
            ProbeFinding.of(reason, probePhase, rpc.code().name(), rpc.text())
                .withVerdict(patterns.escalate(reason.verdict(), rpc.text())));
      }
    };
  }

  /**
   * An answer to Status or Version.
   *
   * @param firstVersion the version of the first good answer; empty if there was none yet
   */
  public Optional<ProbeFinding> status(
      KmsApiVersion api, PluginStatus status, String firstVersion) {
    return switch (api) {
      case V1 ->
          status.version().equals(V1_VERSION) ? Optional.empty() : badVersion(status, V1_VERSION);
      case V2 -> health(status).or(() -> version(status, firstVersion)).or(() -> keyId(status));
    };
  }

  /** Whether kube-apiserver knows this version of the API. */
  public boolean accepts(KmsApiVersion api, String version) {
    return api == KmsApiVersion.V1 ? version.equals(V1_VERSION) : V2_VERSIONS.contains(version);
  }

  private Optional<ProbeFinding> health(PluginStatus status) {
    var healthz = status.healthz();
    if (healthz.equals(HEALTHY)) {
      return Optional.empty();
    }
    var text = healthz.isEmpty() ? "healthz is empty" : healthz;
    return Optional.of(
        RemoteKmsHints.addHint(
            ProbeFinding.of(Reason.NOT_OK, ProbePhase.STATUS, "", text)
                .withVerdict(patterns.escalate(Verdict.WAIT, healthz))));
  }

  private static Optional<ProbeFinding> version(PluginStatus status, String firstVersion) {
    if (!V2_VERSIONS.contains(status.version())) {
      return badVersion(status, "v2 or v2beta1");
    }
    return firstVersion.isEmpty() || firstVersion.equals(status.version())
        ? Optional.empty()
        : Optional.of(
            ProbeFinding.of(
                Reason.VERSION_CHANGED,
                ProbePhase.VERSION,
                "",
                "version changed from %s to %s".formatted(firstVersion, status.version())));
  }

  private static Optional<ProbeFinding> badVersion(PluginStatus status, String expected) {
    return Optional.of(
        ProbeFinding.of(
            Reason.BAD_VERSION,
            ProbePhase.VERSION,
            "",
            "version is \"%s\", expected %s".formatted(status.version(), expected)));
  }

  private static Optional<ProbeFinding> keyId(PluginStatus status) {
    if (status.keyId().isEmpty()) {
      return Optional.of(
          ProbeFinding.of(Reason.EMPTY_KEY_ID, ProbePhase.KEY_ID, "", "key_id is empty"));
    }
    return ResponseLimits.keyIdFault(status.keyId())
        .map(fault -> ProbeFinding.of(Reason.KEY_ID_TOO_LONG, ProbePhase.KEY_ID, "", fault));
  }

  /** An answer to Encrypt. */
  public Optional<ProbeFinding> encrypted(
      KmsApiVersion api, byte[] plaintext, EncryptedSample sample) {
    var fault = ResponseLimits.encryptFault(api, sample);
    if (fault.isPresent()) {
      return Optional.of(
          ProbeFinding.of(Reason.BAD_ENCRYPT_RESPONSE, ProbePhase.ENCRYPT, "", fault.get()));
    }
    return MessageDigest.isEqual(plaintext, sample.ciphertext())
        ? Optional.of(
            ProbeFinding.of(
                Reason.NOT_ENCRYPTED,
                ProbePhase.ENCRYPT,
                "",
                "the ciphertext is the plaintext, unchanged"))
        : Optional.empty();
  }

  /** An answer to Decrypt; compared in constant time. */
  public Optional<ProbeFinding> decrypted(byte[] expected, byte[] decrypted) {
    return MessageDigest.isEqual(expected, decrypted)
        ? Optional.empty()
        : Optional.of(
            ProbeFinding.of(
                Reason.DECRYPT_MISMATCH,
                ProbePhase.DECRYPT,
                "",
                "Decrypt returned other bytes than were encrypted"));
  }

  public ProbeFinding keyIdMismatch(String statusKeyId, String encryptKeyId) {
    return ProbeFinding.of(
        Reason.KEY_ID_MISMATCH,
        ProbePhase.KEY_ID_MISMATCH,
        "",
        "Status names key %s, Encrypt used key %s"
            .formatted(UnreadableKey.brief(statusKeyId), UnreadableKey.brief(encryptKeyId)));
  }

  /** A canary of the current key that failed, however it did. */
  public ProbeFinding canaryFailed(String keyId, ProbeFinding why) {
    if (why.phase() == ProbePhase.CONNECT) {
      return why;
    }
    var of = keyId.isEmpty() ? "" : " of key " + UnreadableKey.brief(keyId);
    var message = "the sample%s: %s".formatted(of, why.message());
    return ProbeFinding.of(Reason.CANARY_FAILED, ProbePhase.CANARY, why.code(), message)
        .withVerdict(why.verdict());
  }

  /** A canary that was decrypted to other bytes. */
  public ProbeFinding canaryChanged() {
    return ProbeFinding.of(
        Reason.DECRYPT_MISMATCH, ProbePhase.CANARY, "", "Decrypt returned other bytes");
  }

  /** All is good with the current key; data of these older ones cannot be decrypted. */
  public ProbeOutcome oldKeysUnreadable(List<UnreadableKey> keys) {
    var named = keys.stream().map(UnreadableKey::toString).collect(Collectors.joining("; "));
    return new ProbeOutcome.OldKeysUnreadable(
        ProbeFinding.of(
            Reason.OLD_KEY_UNREADABLE,
            ProbePhase.CANARY,
            "",
            "cannot decrypt data of older key%s %s".formatted(keys.size() == 1 ? "" : "s", named)),
        keys.stream().map(key -> KeyHash.label(key.keyId())).toList());
  }

  /**
   * What helps against texts by which plugins pass on the errors of their remote KMS. Many plugins
   * have one code for all of them, so the text is all there is; it is a hint and never a verdict.
   */
  static final class RemoteKmsHints {
    private record Hint(Pattern text, String remedy) {}

    private static final List<Hint> HINTS =
        List.of(
            new Hint(
                Pattern.compile("(?i)\\bsealed\\b"),
                "the plugin runs, the vault behind it is sealed: unseal it"),
            new Hint(
                Pattern.compile(
                    "(?i)permission denied|invalid token|check .*permissions|\\bforbidden\\b"),
                "the plugin runs, its KMS refuses it: check key, token and policy there; this does"
                    + " not pass by itself"),
            new Hint(
                Pattern.compile(
                    "(?i)(?:could not|cannot|unable to|failed to) (?:read|find|get) .*\\bkey\\b"),
                "the plugin runs, its KMS does not give it the key: check that the key exists there;"
                    + " this does not pass by itself"));

    private RemoteKmsHints() {}

    static ProbeFinding addHint(ProbeFinding probeFinding) {
      return HINTS.stream()
          .filter(hint -> hint.text().matcher(probeFinding.message()).find())
          .findFirst()
          .map(hint -> probeFinding.withHint(hint.remedy()))
          .orElse(probeFinding);
    }
  }

  /** The reason that a gRPC status code stands for. */
  public static final class RpcReasons {
    private RpcReasons() {}

    /** UNKNOWN is no refusal, because many plugins return it for everything. */
    public static Reason of(RpcCode code) {
      return switch (code) {
        case DEADLINE_EXCEEDED -> Reason.TIMEOUT;
        case UNIMPLEMENTED -> Reason.UNIMPLEMENTED;
        case UNAUTHENTICATED -> Reason.UNAUTHENTICATED;
        case UNAVAILABLE,
            RESOURCE_EXHAUSTED,
            ABORTED,
            CANCELLED,
            INTERNAL,
            UNKNOWN,
            ALREADY_EXISTS ->
            Reason.RPC_ERROR;
        case PERMISSION_DENIED,
            FAILED_PRECONDITION,
            NOT_FOUND,
            INVALID_ARGUMENT,
            OUT_OF_RANGE,
            DATA_LOSS ->
            Reason.RPC_REFUSED;
        case OK -> throw new IllegalArgumentException("OK is no failure");
      };
    }
  }

  /** The reason that a fault of a socket, or an errno, stands for. */
  public static final class SocketReasons {
    private SocketReasons() {}

    public static Reason of(SocketFault fault) {
      return switch (fault) {
        case MISSING -> Reason.SOCKET_MISSING;
        case REFUSED -> Reason.SOCKET_REFUSED;
        case DENIED -> Reason.SOCKET_DENIED;
        case NOT_A_SOCKET -> Reason.NOT_A_SOCKET;
        case FAILED -> Reason.CONNECT_FAILED;
      };
    }

    /** For the name of an errno, such as {@code ENOENT}; empty for a text that is none. */
    public static Optional<Reason> ofErrno(String errno) {
      return switch (errno) {
        case "ENOENT" -> Optional.of(Reason.SOCKET_MISSING);
        case "ECONNREFUSED" -> Optional.of(Reason.SOCKET_REFUSED);
        case "EACCES", "EPERM" -> Optional.of(Reason.SOCKET_DENIED);
        case "ENOTSOCK", "ENOTDIR", "ELOOP", "EPROTOTYPE" -> Optional.of(Reason.NOT_A_SOCKET);
        default ->
            errno.matches("E[A-Z0-9]{2,}") ? Optional.of(Reason.CONNECT_FAILED) : Optional.empty();
      };
    }
  }
}

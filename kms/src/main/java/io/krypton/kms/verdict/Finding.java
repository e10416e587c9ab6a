package io.krypton.kms.verdict;

import io.krypton.kms.protocol.KmsApi;

/**
 * One thing that is wrong. The message is cleaned on the way in, so that nothing a plugin says can
 * carry a secret or a control character out.
 *
 * @param code the gRPC code or the name of the errno; empty if there is none
 */
public record Finding(
    Reason reason, Phase phase, String code, Verdict verdict, String message, String hint) {

  public Finding {
    message = Redaction.clean(message);
  }

  static Finding of(Reason reason, Phase phase, String code, String message) {
    return new Finding(reason, phase, code, reason.verdict(), message, reason.hint());
  }

  public Finding withVerdict(Verdict other) {
    return new Finding(reason, phase, code, other, message, hint);
  }

  /** The same finding with a better idea of what helps. */
  public Finding withHint(String other) {
    return new Finding(reason, phase, code, verdict, message, other);
  }

  /** The same finding, about a plugin that turned out to serve another API version. */
  public Finding serves(KmsApi other) {
    var told = "%s; the plugin answers as %s".formatted(message, other.word());
    return new Finding(reason, phase, code, verdict, told, "set apiVersion: " + other.word());
  }

  /** An error that the plugin answers with is an answer: the plugin runs, its KMS may not. */
  public HealthClass healthClass() {
    if (reason == Reason.OLD_KEY_UNREADABLE) {
      return HealthClass.HEALTHY;
    }
    var noAnswer = phase == Phase.ADDRESS || phase == Phase.CONNECT;
    var noStatus = phase == Phase.STATUS && reason == Reason.TIMEOUT;
    return noAnswer || noStatus ? HealthClass.ERROR : HealthClass.UNHEALTHY;
  }

  /** One word for reports, such as {@code SocketMissing} or {@code EncryptFailed:NOT_FOUND}. */
  public String cause() {
    if (phase == Phase.ENCRYPT && reason.isCallEnd()) {
      return "EncryptFailed:" + code;
    }
    if (phase == Phase.DECRYPT && reason.isCallEnd()) {
      return "DecryptFailed:" + code;
    }
    return reason == Reason.RPC_ERROR || reason == Reason.RPC_REFUSED
        ? reason.word() + ":" + code
        : reason.word();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import io.krypton.base.text.Redactor;
import io.krypton.kms.rpc.KmsApiVersion;

/**
 * One thing that is wrong. The message is cleaned on the way in, so that nothing a plugin says can
 * carry a secret or a control character out.
 *
 * @param code the gRPC code or the name of the errno; empty if there is none
 */
public record ProbeFinding(
    Reason reason, ProbePhase phase, String code, Verdict verdict, String message, String hint) {

  public ProbeFinding {
    message = Redactor.byShape().summarize(message);
  }

  static ProbeFinding of(Reason reason, ProbePhase probePhase, String code, String message) {
    return new ProbeFinding(reason, probePhase, code, reason.verdict(), message, reason.hint());
  }

  public ProbeFinding withVerdict(Verdict other) {
    return new ProbeFinding(reason, phase, code, other, message, hint);
  }

  /** The same finding with a better idea of what helps. */
  public ProbeFinding withHint(String other) {
    return new ProbeFinding(reason, phase, code, verdict, message, other);
  }

  /** The same finding, about a plugin that turned out to serve another API version. */
  public ProbeFinding withServedApi(KmsApiVersion other) {
    var extended = "%s; the plugin answers as %s".formatted(message, other.value());
    return new ProbeFinding(
        reason, phase, code, verdict, extended, "set apiVersion: " + other.value());
  }

  /** An error that the plugin answers with is an answer: the plugin runs, its KMS may not. */
  public HealthClass healthClass() {
    if (reason == Reason.OLD_KEY_UNREADABLE) {
      return HealthClass.HEALTHY;
    }
    var noAnswer = phase == ProbePhase.ADDRESS || phase == ProbePhase.CONNECT;
    var noStatus = phase == ProbePhase.STATUS && reason == Reason.TIMEOUT;
    return noAnswer || noStatus ? HealthClass.ERROR : HealthClass.UNHEALTHY;
  }

  /**
   * A single token for reports, such as {@code SocketMissing} or {@code EncryptFailed:NOT_FOUND}.
   */
  public String cause() {
    if (phase == ProbePhase.ENCRYPT && reason.isCallEnd()) {
      return "EncryptFailed:" + code;
    }
    if (phase == ProbePhase.DECRYPT && reason.isCallEnd()) {
      return "DecryptFailed:" + code;
    }
    return reason == Reason.RPC_ERROR || reason == Reason.RPC_REFUSED
        ? reason.value() + ":" + code
        : reason.value();
  }

  /** The part of a probe in which something was found. */
  public enum ProbePhase {
    ADDRESS("address"),
    CONNECT("connect"),
    STATUS("status"),
    VERSION("version"),
    KEY_ID("keyid"),
    ENCRYPT("encrypt"),
    DECRYPT("decrypt"),
    KEY_ID_MISMATCH("keyid-mismatch"),
    CANARY("canary"),
    GRPC_HEALTH("grpc-health"),
    HTTP("http");

    private final String value;

    ProbePhase(String value) {
      this.value = value;
    }

    public String value() {
      return value;
    }
  }
}

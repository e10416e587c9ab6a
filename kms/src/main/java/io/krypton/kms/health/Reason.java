// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.health;

import static io.krypton.kms.health.Verdict.FATAL;
import static io.krypton.kms.health.Verdict.OK;
import static io.krypton.kms.health.Verdict.WAIT;

/**
 * Everything that can be wrong with a plugin, with the verdict it has before confirmation. This is
 * the contract for authors of plugins, so each constant says what was observed and what helps.
 */
public enum Reason {
  ADDRESS_UNUSABLE(
      "AddressUnusable",
      FATAL,
      "the endpoint names no address that a socket can have",
      "correct the endpoint, write unix:///<absolute path>"),
  SOCKET_MISSING(
      "SocketMissing",
      WAIT,
      "the socket, its directory or the target of a link does not exist (ENOENT)",
      "start the plugin, and check that its directory is mounted here"),
  SOCKET_REFUSED(
      "SocketRefused",
      WAIT,
      "nobody listens (ECONNREFUSED)",
      "stale socket: the process that made it is gone, start the plugin"),
  CONNECT_FAILED(
      "ConnectFailed",
      WAIT,
      "another error of connect, or the peer hung up before its first frame",
      "check the log of the plugin"),
  SOCKET_DENIED(
      "SocketDenied",
      FATAL,
      "no permission on the way to the socket or on it (EACCES, EPERM)",
      "run with the user or group of the plugin, which needs write permission on the socket"),
  NOT_A_SOCKET(
      "NotASocket",
      FATAL,
      "something else than a stream socket is there (also ENOTDIR, ELOOP, EPROTOTYPE)",
      "remove what is there, then start the plugin"),
  NOT_GRPC(
      "NotGrpc",
      FATAL,
      "the peer does not speak gRPC (HTTP/1.1, no SETTINGS, other content type, PROTOCOL_ERROR)",
      "the endpoint belongs to another program, correct it"),
  TIMEOUT(
      "Timeout",
      WAIT,
      "no answer before the deadline, or DEADLINE_EXCEEDED from the plugin",
      "check whether the plugin hangs or waits for its remote KMS"),
  UNIMPLEMENTED(
      "Unimplemented",
      FATAL,
      "the plugin does not know the method (UNIMPLEMENTED)",
      "the plugin serves another API version, correct apiVersion or the endpoint"),
  UNAUTHENTICATED(
      "Unauthenticated",
      WAIT,
      "UNAUTHENTICATED; FATAL after 60 s without a break, as tokens get refreshed",
      "renew the credentials of the plugin at its remote KMS"),
  RPC_ERROR(
      "RpcError",
      WAIT,
      "UNAVAILABLE, RESOURCE_EXHAUSTED, ABORTED, CANCELLED, INTERNAL, ALREADY_EXISTS, UNKNOWN",
      "the plugin runs, check the KMS behind it; a permanent fault may show the same error"),
  RPC_REFUSED(
      "RpcRefused",
      FATAL,
      "PERMISSION_DENIED, FAILED_PRECONDITION, NOT_FOUND, INVALID_ARGUMENT, OUT_OF_RANGE,"
          + " DATA_LOSS",
      "check the key and the permissions of the plugin at its remote KMS"),
  NIL_RESPONSE(
      "NilResponse", WAIT, "the call ended OK without a message", "check the log of the plugin"),
  NOT_OK(
      "NotOk",
      WAIT,
      "healthz is other than exactly \"ok\"",
      "check the log of the plugin; a permanent fault may show the same error"),
  BAD_VERSION(
      "BadVersion",
      FATAL,
      "version is not v2 or v2beta1 (v1: not v1beta1)",
      "install a plugin of the configured API version"),
  VERSION_CHANGED(
      "VersionChanged",
      FATAL,
      "version differs from the first one seen",
      "restart the API server after changing the version of a plugin"),
  EMPTY_KEY_ID(
      "EmptyKeyID",
      FATAL,
      "key_id is empty",
      "the plugin must name its key, correct its configuration"),
  KEY_ID_TOO_LONG(
      "KeyIDTooLong",
      FATAL,
      "key_id is longer than 1024 bytes",
      "the plugin must use a shorter key id"),
  BAD_ENCRYPT_RESPONSE(
      "BadEncryptResponse",
      FATAL,
      "ciphertext empty or over 1024 bytes (v1: 65535), key_id invalid, annotation key not a domain"
          + " of two segments, or annotations over 32768 bytes",
      "the API server would refuse this answer, correct the plugin"),
  NOT_ENCRYPTED(
      "NotEncrypted",
      FATAL,
      "the ciphertext equals the plaintext",
      "the plugin does not encrypt, replace it"),
  DECRYPT_MISMATCH(
      "DecryptMismatch",
      FATAL,
      "Decrypt returned other bytes than were encrypted",
      "the plugin corrupts data, stop writing through it"),
  KEY_ID_MISMATCH(
      "KeyIDMismatch",
      WAIT,
      "Encrypt and Status name different keys, also after a second Status; FATAL after 90 s",
      "a rotation takes long, or the plugin is inconsistent, check its log"),
  CANARY_FAILED(
      "CanaryFailed",
      WAIT,
      "a sample kept from earlier, under the current key, cannot be decrypted; by its code, and"
          + " FATAL for wrong bytes",
      "existing data is probably unreadable, check the key at the remote KMS"),
  OLD_KEY_UNREADABLE(
      "OldKeyUnreadable",
      OK,
      "a sample kept from an older key cannot be decrypted",
      "expected once the key is destroyed and all data is rewritten; else restore the key"),
  DECRYPT_UNPROVEN(
      "DecryptUnproven",
      OK,
      "nothing is at hand to prove that Decrypt works",
      "keep canaries, so that the next start can prove it"),
  NOT_SERVING(
      "NotServing",
      WAIT,
      "the gRPC health service says NOT_SERVING",
      "check the log of the plugin"),
  HTTP_HEALTHZ(
      "HttpHealthz",
      WAIT,
      "the HTTP healthz of the plugin objects; 500 is FATAL",
      "check the log of the plugin");

  private final String value;
  private final Verdict verdict;
  private final String observation;
  private final String hint;

  Reason(String value, Verdict verdict, String observation, String hint) {
    this.value = value;
    this.verdict = verdict;
    this.observation = observation;
    this.hint = hint;
  }

  public String value() {
    return value;
  }

  public Verdict verdict() {
    return verdict;
  }

  public String observation() {
    return observation;
  }

  public String hint() {
    return hint;
  }

  /** Whether the reason is how a call ended, so that a status code belongs to it. */
  public boolean isCallEnd() {
    return switch (this) {
      case TIMEOUT, UNIMPLEMENTED, UNAUTHENTICATED, RPC_ERROR, RPC_REFUSED -> true;
      default -> false;
    };
  }
}

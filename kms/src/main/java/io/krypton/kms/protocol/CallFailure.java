package io.krypton.kms.protocol;

/** Why a call brought no answer. Texts that come from the peer are untrusted. */
public sealed interface CallFailure {

  /** No connection; {@code errno} is the name of the error, or empty when there was none. */
  record NoConnection(SocketFault fault, String errno, String text) implements CallFailure {}

  /** The peer is connected but does not speak gRPC. */
  record NotGrpc(String text) implements CallFailure {}

  /** The peer answered with a status other than OK, or did not answer before the deadline. */
  record Rpc(RpcCode code, String text) implements CallFailure {}

  /** The call ended with OK but without a message. */
  record NoMessage() implements CallFailure {}
}

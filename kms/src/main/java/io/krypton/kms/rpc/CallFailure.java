package io.krypton.kms.rpc;

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

  /** Why no connection to a socket came about. */
  enum SocketFault {
    /** The path, one of its directories, or the target of a link does not exist. */
    MISSING,
    /** Nobody listens: a file left behind by a dead process, or an abstract name nobody holds. */
    REFUSED,
    /** The process may not reach the path or write to the socket. */
    DENIED,
    /** Something else than a stream socket is there. */
    NOT_A_SOCKET,
    /** Any other reason, such as a full backlog or a peer that hangs up before its first frame. */
    FAILED
  }
}

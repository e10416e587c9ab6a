package io.krypton.kms.protocol;

/** Why no connection to a socket came about. */
public enum SocketFault {
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

package io.krypton.kms.verdict;

import io.krypton.kms.protocol.SocketFault;
import java.util.Optional;

/** The reason that a fault of a socket, or an errno, stands for. */
public final class SocketReason {
  private SocketReason() {}

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

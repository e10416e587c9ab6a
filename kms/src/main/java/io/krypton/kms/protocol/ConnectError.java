package io.krypton.kms.protocol;

import io.grpc.netty.shaded.io.netty.channel.ConnectTimeoutException;
import io.krypton.kms.protocol.CallFailure.NoConnection;
import java.net.BindException;
import java.net.ConnectException;
import java.util.Comparator;
import java.util.Map;

/**
 * The errno behind a failed connect. The JDK gives it as the type of the exception for the common
 * ones; for the others only the text of the C library is left.
 */
final class ConnectError {
  private static final Map<String, String> ERRNO_BY_TEXT =
      Map.of(
          "Permission denied", "EACCES",
          "Operation not permitted", "EPERM",
          "No such file or directory", "ENOENT",
          "Protocol wrong type for socket", "EPROTOTYPE",
          "Resource temporarily unavailable", "EAGAIN",
          "Too many open files", "EMFILE",
          "Too many open files in system", "ENFILE",
          "Cannot allocate memory", "ENOMEM");

  private ConnectError() {}

  static NoConnection read(Endpoint endpoint, Throwable error) {
    var errno = errno(error);
    var address = endpoint.address();
    return switch (errno) {
      case "ECONNREFUSED" ->
          new NoConnection(SocketFault.REFUSED, errno, "nobody listens on " + address);
      case "EACCES", "EPERM" ->
          new NoConnection(SocketFault.DENIED, errno, "permission denied on " + address);
      case "EPROTOTYPE" ->
          new NoConnection(SocketFault.NOT_A_SOCKET, errno, address + " is not a stream socket");
      case "ENOENT" ->
          new NoConnection(
              SocketFault.MISSING, errno, "socket %s does not exist".formatted(address));
      case "EAGAIN" ->
          new NoConnection(SocketFault.FAILED, errno, "the backlog of " + address + " is full");
      default -> new NoConnection(SocketFault.FAILED, errno, "cannot connect to " + address);
    };
  }

  private static String errno(Throwable error) {
    return switch (error) {
      case ConnectTimeoutException timeout -> "ETIMEDOUT";
      case ConnectException refused -> "ECONNREFUSED";
      case BindException denied -> "EACCES";
      default -> errnoByText(error);
    };
  }

  /**
   * Netty puts the address behind the text, and for abstract sockets the name of the call before
   * it.
   */
  private static String errnoByText(Throwable error) {
    var text = String.valueOf(error.getMessage());
    return ERRNO_BY_TEXT.entrySet().stream()
        .filter(known -> text.contains(known.getKey()))
        .max(Map.Entry.comparingByKey(Comparator.comparingInt(String::length)))
        .map(Map.Entry::getValue)
        .orElse("");
  }
}

package io.krypton.kms.rpc;

import io.grpc.netty.shaded.io.netty.channel.ConnectTimeoutException;
import io.krypton.kms.rpc.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailure.SocketFault;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The errno behind a failed connect. The JDK gives it as the type of the exception for the common
 * ones; for the others only the text of the C library is left.
 */
final class ConnectErrorClassifier {
  private static final Map<String, String> ERRNO_BY_TEXT =
      Map.of(
          "Connection refused", "ECONNREFUSED",
          "Permission denied", "EACCES",
          "Operation not permitted", "EPERM",
          "No such file or directory", "ENOENT",
          "Protocol wrong type for socket", "EPROTOTYPE",
          "Resource temporarily unavailable", "EAGAIN",
          "Too many open files", "EMFILE",
          "Too many open files in system", "ENFILE",
          "Cannot allocate memory", "ENOMEM");

  /** Those of Linux, which alone has abstract sockets. */
  private static final Map<Integer, String> ERRNO_BY_NUMBER =
      Map.of(
          1, "EPERM",
          2, "ENOENT",
          11, "EAGAIN",
          12, "ENOMEM",
          13, "EACCES",
          23, "ENFILE",
          24, "EMFILE",
          91, "EPROTOTYPE",
          111, "ECONNREFUSED");

  private static final Pattern NUMBER = Pattern.compile("failed with error\\(-(\\d+)\\)");

  private ConnectErrorClassifier() {}

  static NoConnection classify(Endpoint endpoint, Throwable error) {
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

  /**
   * The number if there is one, then the text, then the type: for abstract sockets every error has
   * the type that means "refused" for others.
   */
  private static String errno(Throwable error) {
    if (error instanceof ConnectTimeoutException) {
      return "ETIMEDOUT";
    }
    var text = String.valueOf(error.getMessage());
    return byNumber(text).or(() -> byText(text)).orElseGet(() -> byType(error));
  }

  /** The C library speaks the language of the system, a number does not. */
  private static Optional<String> byNumber(String text) {
    var number = NUMBER.matcher(text);
    return number.find()
        ? Optional.of(ERRNO_BY_NUMBER.getOrDefault(Integer.valueOf(number.group(1)), ""))
        : Optional.empty();
  }

  /**
   * Netty puts the address behind the text, and for abstract sockets the name of the call before
   * it.
   */
  private static Optional<String> byText(String text) {
    return ERRNO_BY_TEXT.entrySet().stream()
        .filter(known -> text.contains(known.getKey()))
        .max(Map.Entry.comparingByKey(Comparator.comparingInt(String::length)))
        .map(Map.Entry::getValue);
  }

  private static String byType(Throwable error) {
    return switch (error) {
      case ConnectException refused -> "ECONNREFUSED";
      case BindException denied -> "EACCES";
      case FileNotFoundException missing -> "ENOENT";
      default -> "";
    };
  }
}

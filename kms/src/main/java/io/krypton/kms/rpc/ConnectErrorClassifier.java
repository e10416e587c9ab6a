// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import io.grpc.netty.shaded.io.netty.channel.ConnectTimeoutException;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.NoConnection;
import io.krypton.kms.rpc.CallFailureClassifier.CallFailure.SocketFault;
import java.io.FileNotFoundException;
import java.net.BindException;
import java.net.ConnectException;
import java.util.Comparator;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The errno behind a failed connect. The JDK gives it as the type of the exception for the common
 * ones; for the others only the text of the C library is left.
 */
final class ConnectErrorClassifier {
  /** With the numbers of Linux, which alone has abstract sockets, and the text of its C library. */
  private enum Errno {
    EPERM(1, "Operation not permitted"),
    ENOENT(2, "No such file or directory"),
    EAGAIN(11, "Resource temporarily unavailable"),
    ENOMEM(12, "Cannot allocate memory"),
    EACCES(13, "Permission denied"),
    ENFILE(23, "Too many open files in system"),
    EMFILE(24, "Too many open files"),
    EPROTOTYPE(91, "Protocol wrong type for socket"),
    ECONNREFUSED(111, "Connection refused");

    private final int number;
    private final String text;

    Errno(int number, String text) {
      this.number = number;
      this.text = text;
    }
  }

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
        ? Optional.of(
            Stream.of(Errno.values())
                .filter(known -> Integer.toString(known.number).equals(number.group(1)))
                .map(Errno::name)
                .findFirst()
                .orElse(""))
        : Optional.empty();
  }

  /**
   * Netty puts the address behind the text, and for abstract sockets the name of the call before
   * it.
   */
  private static Optional<String> byText(String text) {
    return Stream.of(Errno.values())
        .filter(known -> text.contains(known.text))
        .max(Comparator.comparingInt(known -> known.text.length()))
        .map(Errno::name);
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

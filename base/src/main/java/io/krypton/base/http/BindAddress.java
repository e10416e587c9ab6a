// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * The address of a server as flags name it.
 *
 * @param socket empty if the server is switched off
 */
public record BindAddress(Optional<InetSocketAddress> socket) {
  /** What {@link #parse} accepts, for messages. */
  public static final String FORM = "write for example :8080, 127.0.0.1:8080 or 0 for none";

  /** What {@link #parseLiteral} accepts, for messages. */
  public static final String LITERAL_FORM = "must be <IP address>:<port>, or 0 for none";

  public static final BindAddress OFF = new BindAddress(Optional.empty());

  private static final int HIGHEST_PORT = 65_535;
  private static final Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([^:\\[\\]]*)):(\\d{1,5})");
  private static final Pattern IP_V4_OR_LOCALHOST = Pattern.compile("[0-9.]+|localhost");

  public static BindAddress of(InetSocketAddress socket) {
    return new BindAddress(Optional.of(socket));
  }

  /**
   * Reads {@code :8080}, {@code 127.0.0.1:8080}, {@code [::1]:8080}, {@code localhost:8080}, and
   * {@code 0} for none. Without a host it is every address of the machine.
   */
  public static Optional<BindAddress> parse(String text) {
    return parse(text, false);
  }

  /** Like {@link #parse}, but with an IP address or {@code localhost}: needs no name service. */
  public static Optional<BindAddress> parseLiteral(String text) {
    return parse(text, true);
  }

  private static Optional<BindAddress> parse(String text, boolean literal) {
    if (text.equals("0")) {
      return Optional.of(OFF);
    }
    var parts = HOST_AND_PORT.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(3)) > HIGHEST_PORT) {
      return Optional.empty();
    }
    int port = Integer.parseInt(parts.group(3));
    var host = parts.group(1) == null ? parts.group(2) : parts.group(1);
    var isLiteral = parts.group(1) != null || IP_V4_OR_LOCALHOST.matcher(host).matches();
    if (literal && !isLiteral) {
      return Optional.empty();
    }
    if (host.isEmpty()) {
      return Optional.of(of(new InetSocketAddress(port)));
    }
    return isLiteral
        ? literal(host).map(address -> of(new InetSocketAddress(address, port)))
        : Optional.of(of(new InetSocketAddress(host, port)));
  }

  private static Optional<InetAddress> literal(String host) {
    try {
      return Optional.of(
          host.equals("localhost")
              ? InetAddress.getLoopbackAddress()
              : InetAddress.ofLiteral(host));
    } catch (IllegalArgumentException noAddress) {
      return Optional.empty();
    }
  }
}

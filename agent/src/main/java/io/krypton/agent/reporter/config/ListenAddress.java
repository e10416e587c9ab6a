package io.krypton.agent.reporter.config;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.regex.Pattern;

/** Where the local pages are served, if at all. */
public sealed interface ListenAddress {
  /** {@code --listen=0}. */
  record Off() implements ListenAddress {}

  /** An address that needs no name service. */
  record On(InetSocketAddress address) implements ListenAddress {}

  Pattern HOST_AND_PORT =
      Pattern.compile("(?:\\[([0-9a-fA-F:.]+)]|([0-9.]+|localhost)):(\\d{1,5})");

  static Optional<ListenAddress> parse(String text) {
    if (text.equals("0")) {
      return Optional.of(new Off());
    }
    var match = HOST_AND_PORT.matcher(text);
    if (!match.matches() || Integer.parseInt(match.group(3)) > 65_535) {
      return Optional.empty();
    }
    var host = match.group(1) != null ? match.group(1) : match.group(2);
    try {
      var address =
          host.equals("localhost") ? InetAddress.getLoopbackAddress() : InetAddress.ofLiteral(host);
      return Optional.of(new On(new InetSocketAddress(address, Integer.parseInt(match.group(3)))));
    } catch (IllegalArgumentException e) {
      return Optional.empty();
    }
  }
}

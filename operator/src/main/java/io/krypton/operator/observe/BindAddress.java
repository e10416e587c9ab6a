package io.krypton.operator.observe;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Pattern;

/**
 * An address as flags name it: {@code :8080}, {@code 127.0.0.1:8080}, {@code [::1]:8080}, or {@code
 * 0} for none.
 *
 * @param flag that gave it, for messages
 */
public record BindAddress(String flag, Optional<InetSocketAddress> socket) {
  private static final Pattern FORM =
      Pattern.compile("(|[^:\\[\\]]+|\\[[0-9a-fA-F:.]+\\]):(\\d{1,5})");
  private static final int HIGHEST_PORT = 65535;

  /**
   * Reads a flag.
   *
   * @throws IllegalArgumentException with a text for users when the address has another form
   */
  public static BindAddress parse(String flag, String text) {
    if (text.equals("0")) {
      return new BindAddress(flag, Optional.empty());
    }
    var parts = FORM.matcher(text);
    if (!parts.matches() || Integer.parseInt(parts.group(2)) > HIGHEST_PORT) {
      throw new IllegalArgumentException(
          "%s %s is not an address, write for example :8080, 127.0.0.1:8080 or 0 for none"
              .formatted(flag, text));
    }
    var host = parts.group(1);
    var port = Integer.parseInt(parts.group(2));
    return new BindAddress(
        flag,
        Optional.of(
            host.isEmpty() ? new InetSocketAddress(port) : new InetSocketAddress(host, port)));
  }

  /**
   * Starts a server at the address; nothing if the flag says that there is none.
   *
   * @throws UncheckedIOException which names the flag
   */
  public <S> Optional<S> serve(Function<InetSocketAddress, S> server) {
    try {
      return socket.map(server);
    } catch (UncheckedIOException taken) {
      throw new UncheckedIOException(
          "%s: %s; give another address, or 0 for none".formatted(flag, taken.getMessage()),
          taken.getCause());
    }
  }

  static UncheckedIOException bindFailure(InetSocketAddress address, IOException failed) {
    return new UncheckedIOException(
        "cannot listen on %s:%d: %s"
            .formatted(address.getHostString(), address.getPort(), failed.getMessage()),
        failed);
  }
}

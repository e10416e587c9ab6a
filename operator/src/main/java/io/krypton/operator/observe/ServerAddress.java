// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.observe;

import io.krypton.base.http.BindAddress;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.function.Function;

/**
 * The address of a server and the flag that gave it, for messages.
 *
 * @param socket empty if the server is switched off
 */
public record ServerAddress(String flag, Optional<InetSocketAddress> socket) {
  /**
   * Reads a flag.
   *
   * @throws IllegalArgumentException with a text for users when the address has another form
   */
  public static ServerAddress parse(String flag, String text) {
    return BindAddress.parse(text)
        .map(address -> new ServerAddress(flag, address.socket()))
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "%s %s is not an address, %s".formatted(flag, text, BindAddress.FORM)));
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
}

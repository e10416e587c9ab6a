// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.channels.SocketChannel;

/**
 * A free loopback port that stays ours until it is closed, also while nobody listens on it.
 *
 * <p>The socket is bound but never listens. The kernel gives its port to nobody who asks for any
 * free port, yet lets a server that names the port (and sets SO_REUSEADDR, as Go and Java do)
 * listen.
 */
public final class ReservedPort implements AutoCloseable {
  private final SocketChannel socket;
  private final InetSocketAddress address;

  private ReservedPort(SocketChannel socket, InetSocketAddress address) {
    this.socket = socket;
    this.address = address;
  }

  public static ReservedPort any() {
    try {
      var socket = SocketChannel.open();
      socket.setOption(StandardSocketOptions.SO_REUSEADDR, true);
      socket.bind(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), 0));
      return new ReservedPort(socket, (InetSocketAddress) socket.getLocalAddress());
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    }
  }

  public InetSocketAddress address() {
    return address;
  }

  public int number() {
    return address.getPort();
  }

  @Override
  public void close() {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

package io.krypton.bench.lab;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;

/** A port of this machine that nobody used a moment ago. */
public final class LocalPort {
  private LocalPort() {}

  public static int free() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

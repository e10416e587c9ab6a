// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/** A proxy that takes {@code CONNECT} to whatever name and leads to one port of this machine. */
final class TunnelProxy implements AutoCloseable {
  private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
  private final List<String> asked = new CopyOnWriteArrayList<>();
  private final int target;
  private volatile String login = "";

  TunnelProxy(int target) throws IOException {
    this.target = target;
    Thread.ofVirtual().start(this::accept);
  }

  /** Nobody gets through without this login, as the header has it. */
  TunnelProxy requires(String basic) {
    login = "Proxy-Authorization: Basic " + basic + "\r\n";
    return this;
  }

  int port() {
    return server.getLocalPort();
  }

  String url() {
    return "http://127.0.0.1:" + server.getLocalPort();
  }

  /** The names that clients wanted to reach. */
  List<String> asked() {
    return List.copyOf(asked);
  }

  private void accept() {
    while (!server.isClosed()) {
      try {
        var client = server.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException closed) {
        return;
      }
    }
  }

  private void serve(Socket client) {
    try (client;
        var there = new Socket(InetAddress.getLoopbackAddress(), target)) {
      var head = head(client.getInputStream());
      asked.add(head.split(" ")[1]);
      if (!head.contains(login)) {
        client
            .getOutputStream()
            .write(
                "HTTP/1.1 407 Who are you\r\nContent-Length: 0\r\n\r\n"
                    .getBytes(StandardCharsets.US_ASCII));
        return;
      }
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      var back = Thread.ofVirtual().start(() -> pipe(there, client));
      pipe(client, there);
      back.join();
    } catch (IOException | UncheckedIOException ended) {
      // A client that goes away ends its tunnel.
    } catch (InterruptedException stopped) {
      Thread.currentThread().interrupt();
    }
  }

  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (head.indexOf("\r\n\r\n") < 0) {
      int next = in.read();
      if (next < 0) {
        throw new IOException("no whole request");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void pipe(Socket from, Socket to) {
    try {
      InputStream in = from.getInputStream();
      OutputStream out = to.getOutputStream();
      in.transferTo(out);
      to.shutdownOutput();
    } catch (IOException ended) {
      throw new UncheckedIOException(ended);
    }
  }

  @Override
  public void close() throws IOException {
    server.close();
  }
}

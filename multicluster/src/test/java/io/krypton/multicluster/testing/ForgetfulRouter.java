// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Relays to a server, and can forget the connections it has: they stay open on both sides, but
 * nothing arrives any more and nobody is told. New connections work.
 */
public final class ForgetfulRouter implements AutoCloseable {
  private static final int BUFFER = 8192;

  private final URI target;
  private final ServerSocket listener;
  private final AtomicInteger memory = new AtomicInteger();
  private final Set<Socket> sockets = ConcurrentHashMap.newKeySet();

  public ForgetfulRouter(URI target) throws IOException {
    this.target = target;
    this.listener = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  public void forget() {
    memory.incrementAndGet();
  }

  private void accept() {
    try {
      while (true) {
        var client = listener.accept();
        var server = new Socket(target.getHost(), target.getPort());
        sockets.add(client);
        sockets.add(server);
        var remembered = memory.get();
        Thread.ofVirtual().start(() -> pump(client, server, remembered));
        Thread.ofVirtual().start(() -> pump(server, client, remembered));
      }
    } catch (IOException closed) {
      cutAll();
    }
  }

  /** The end of one side, or of the router, is the end of both. */
  private void pump(Socket from, Socket to, int remembered) {
    var buffer = new byte[BUFFER];
    try {
      for (int n; (n = from.getInputStream().read(buffer)) > 0; ) {
        if (memory.get() == remembered) {
          to.getOutputStream().write(buffer, 0, n);
        }
      }
      cut(from);
      cut(to);
    } catch (IOException gone) {
      cut(from);
      cut(to);
    }
  }

  private void cut(Socket socket) {
    sockets.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private void cutAll() {
    Set.copyOf(sockets).forEach(this::cut);
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    cutAll();
  }
}

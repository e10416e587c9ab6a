// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import io.krypton.sandbox.access.SandboxKubeconfig;
import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A loopback port in front of an API server that counts the streams of each connection. It has to
 * read what passes, so TLS ends here: whoever comes has the identity that the proxy was given.
 */
public final class StreamProxy implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(StreamProxy.class);
  private static final int BUFFER = 16 * 1024;
  private static final int BACKLOG = 1024;
  private static final String HTTP_2 = "h2";

  private final SandboxKubeconfig server;
  private final SSLSocketFactory upstream;
  private final ServerSocket listener;
  private final List<StreamCounter> counts = new CopyOnWriteArrayList<>();
  private final List<SSLSocket> sockets = new CopyOnWriteArrayList<>();
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private StreamProxy(SandboxKubeconfig server, IssuedIdentity issuedIdentity) {
    this.server = server;
    // Once for all connections, so that those after the first resume its session.
    this.upstream = InMemoryTls.client(server.authority(), server.identity()).getSocketFactory();
    try {
      this.listener =
          InMemoryTls.server(issuedIdentity)
              .getServerSocketFactory()
              .createServerSocket(0, BACKLOG, InetAddress.ofLiteral("127.0.0.1"));
    } catch (IOException e) {
      throw new UncheckedIOException("no free port on loopback", e);
    }
    threads.execute(this::accept);
  }

  /**
   * A proxy before an API server; clients must trust the issuer of the identity.
   *
   * @param server how the proxy itself gets there
   */
  public static StreamProxy before(SandboxKubeconfig server, IssuedIdentity issuedIdentity) {
    return new StreamProxy(server, issuedIdentity);
  }

  public URI url() {
    return URI.create("https://127.0.0.1:" + listener.getLocalPort());
  }

  /** Connections that clients opened so far; nothing but HTTP/2 is offered to them. */
  public int connections() {
    return counts.size();
  }

  /** The most streams that any of the connections had at once. */
  public int peakStreams() {
    return counts.stream().mapToInt(StreamCounter::peak).max().orElse(0);
  }

  /** The streams that are open now, on all connections. */
  public int openStreams() {
    return counts.stream().mapToInt(StreamCounter::open).sum();
  }

  @Override
  public void close() {
    try {
      listener.close();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot stop listening", e);
    }
    sockets.forEach(StreamProxy::cut);
    threads.shutdownNow();
  }

  private void accept() {
    while (!listener.isClosed()) {
      try {
        var client = (SSLSocket) listener.accept();
        threads.execute(() -> serve(client));
      } catch (IOException e) {
        if (!listener.isClosed()) {
          throw new UncheckedIOException("cannot accept", e);
        }
      }
    }
  }

  private void serve(SSLSocket client) {
    sockets.add(client);
    try (client;
        var toServer = open()) {
      sockets.add(toServer);
      handshake(client);
      handshake(toServer);
      client.setTcpNoDelay(true);
      toServer.setTcpNoDelay(true);
      var count = new StreamCounter();
      counts.add(count);
      var requests = threads.submit(() -> pump(client, toServer, count.requests()));
      pump(toServer, client, count.answers());
      requests.get();
    } catch (IOException | ExecutionException e) {
      // Clients come and go as they like.
      log.atDebug().log("connection broke", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SSLSocket open() throws IOException {
    var to = server.server();
    return (SSLSocket) upstream.createSocket(to.getHost(), to.getPort());
  }

  private static void handshake(SSLSocket socket) throws IOException {
    var parameters = socket.getSSLParameters();
    parameters.setApplicationProtocols(new String[] {HTTP_2});
    socket.setSSLParameters(parameters);
    socket.startHandshake();
  }

  /** The end of one direction is the end of the connection. */
  private static boolean pump(SSLSocket from, SSLSocket to, StreamCounter.Frames frames)
      throws IOException {
    var buffer = new byte[BUFFER];
    try {
      for (int n; (n = from.getInputStream().read(buffer)) > 0; ) {
        frames.add(buffer, n);
        to.getOutputStream().write(buffer, 0, n);
      }
      return true;
    } finally {
      cut(to);
    }
  }

  private static void cut(SSLSocket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      log.atDebug().log("socket not closed", e);
    }
  }
}

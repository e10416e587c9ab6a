// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import io.krypton.base.http.PageResponse;
import io.krypton.base.http.PageServer;
import io.krypton.operator.observe.ServerSecurity;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;

/** An HTTPS server on loopback with the TLS under test, and a client that takes any certificate. */
final class TlsServer implements AutoCloseable {
  private static final String REQUEST = "GET /page HTTP/1.1\r\nHost: localhost\r\n\r\n";

  private final PageServer service;
  private final SSLContext client;

  /** What a client saw. */
  record Seen(String protocol, String suite, String subject) {}

  TlsServer(ReloadingTls tls) throws GeneralSecurityException {
    service =
        new ServerSecurity(Optional.of(tls), request -> Optional.empty())
            .serve(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), 0),
                Map.of("/page", request -> PageResponse.ok("hello")));
    client = SSLContext.getInstance("TLS");
    client.init(null, new TrustManager[] {new AnyCertificate()}, null);
  }

  int port() {
    return service.port();
  }

  /** A whole exchange over a new connection. */
  Seen connect(String... protocols) throws IOException {
    try (var socket = open(protocols)) {
      var seen = seen(socket);
      if (!request(socket).startsWith("HTTP/1.1 200 ")) {
        throw new IOException("the page was not answered");
      }
      return seen;
    }
  }

  SSLSocket open(String... protocols) throws IOException {
    var socket =
        (SSLSocket)
            client.getSocketFactory().createSocket(InetAddress.getLoopbackAddress(), port());
    socket.setSoTimeout(20_000);
    if (protocols.length > 0) {
      socket.setEnabledProtocols(protocols);
    }
    try {
      socket.startHandshake();
    } catch (IOException e) {
      socket.close();
      throw e;
    }
    return socket;
  }

  static Seen seen(SSLSocket socket) throws SSLPeerUnverifiedException {
    var session = socket.getSession();
    var leaf = (X509Certificate) session.getPeerCertificates()[0];
    return new Seen(
        session.getProtocol(), session.getCipherSuite(), leaf.getSubjectX500Principal().getName());
  }

  /** Head and body of the answer. */
  static String request(SSLSocket socket) throws IOException {
    socket.getOutputStream().write(REQUEST.getBytes(StandardCharsets.US_ASCII));
    socket.getOutputStream().flush();
    var answer = new StringBuilder();
    while (!answer.toString().endsWith("hello")) {
      var next = socket.getInputStream().read();
      if (next < 0) {
        throw new IOException("the connection ended after: " + answer);
      }
      answer.append((char) next);
    }
    return answer.toString();
  }

  boolean refuses(String... protocols) throws IOException {
    try (var socket = open(protocols)) {
      return !socket.isConnected();
    } catch (SSLException refused) {
      return true;
    }
  }

  @Override
  public void close() {
    service.close();
  }

  private static final class AnyCertificate extends X509ExtendedTrustManager {
    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, Socket socket) {}

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String type, SSLEngine engine) {}

    @Override
    public X509Certificate[] getAcceptedIssuers() {
      return new X509Certificate[0];
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Proxy;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tunnels to one API server through a proxy that the JDK's client does not support: TLS or SOCKS5.
 * It listens on loopback as a plain HTTP proxy, for that server only, and forwards encrypted bytes.
 */
final class ProxyTunnel implements AutoCloseable {
  private static final Logger log = LoggerFactory.getLogger(ProxyTunnel.class);
  private static final int MAX_HEAD = 8 * 1024;
  private static final int HTTPS_PORT = 443;

  private final ApiEndpoint endpoint;
  private final URI proxy;
  private final Duration connectTimeout;
  private final Executor executor;
  private final ServerSocket listening;
  private final Set<Socket> open = ConcurrentHashMap.newKeySet();

  private ProxyTunnel(
      ApiEndpoint endpoint,
      URI proxy,
      Duration connectTimeout,
      Executor executor,
      ServerSocket listening) {
    this.endpoint = endpoint;
    this.proxy = proxy;
    this.connectTimeout = connectTimeout;
    this.executor = executor;
    this.listening = listening;
  }

  /** Whether the JDK's client does not support this proxy. */
  static boolean isNeededFor(URI proxy) {
    return !"http".equals(scheme(proxy));
  }

  static ProxyTunnel open(
      ApiEndpoint endpoint, URI proxy, Duration connectTimeout, Executor executor) {
    try {
      var listening = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
      var tunnel = new ProxyTunnel(endpoint, proxy, connectTimeout, executor, listening);
      executor.execute(tunnel::accept);
      return tunnel;
    } catch (IOException e) {
      throw new IllegalStateException("cannot listen on loopback", e);
    }
  }

  /** The proxy address for the client. */
  URI address() {
    return URI.create(
        "http://%s:%d"
            .formatted(
                listening.getInetAddress().getHostAddress().contains(":") ? "[::1]" : "127.0.0.1",
                listening.getLocalPort()));
  }

  private void accept() {
    try {
      while (!listening.isClosed()) {
        var client = listening.accept();
        open.add(client);
        executor.execute(() -> serve(client));
      }
    } catch (IOException e) {
      if (!listening.isClosed()) {
        log.atWarn()
            .addKeyValue("proxy", proxy.getHost())
            .log("proxy tunnel failed: {}", reason(e));
      }
    }
  }

  private void serve(Socket client) {
    try {
      client.setSoTimeout((int) connectTimeout.toMillis());
      if (!isForOurServer(head(client.getInputStream()))) {
        answer(client, "403 Forbidden");
        return;
      }
      client.setSoTimeout(0);
      var server = connect();
      open.add(server);
      try {
        answer(client, "200 OK");
        executor.execute(() -> pump(server, client));
        pump(client, server);
      } finally {
        end(server);
      }
    } catch (IOException | GeneralSecurityException e) {
      log.atDebug()
          .addKeyValue("proxy", proxy.getHost())
          .log("proxy tunnel cannot connect: {}", reason(e));
    } finally {
      end(client);
    }
  }

  private Socket connect() throws IOException, GeneralSecurityException {
    var isSocks = !"https".equals(scheme(proxy));
    var socket = new Socket(isSocks ? new Proxy(Proxy.Type.SOCKS, proxyAddress()) : Proxy.NO_PROXY);
    try {
      return isSocks ? throughSocks(socket) : throughTls(socket);
    } catch (IOException | GeneralSecurityException e) {
      socket.close();
      throw e;
    }
  }

  /** The proxy resolves the name, as it does for Helm. */
  private Socket throughSocks(Socket socket) throws IOException {
    socket.connect(
        InetSocketAddress.createUnresolved(endpoint.server().getHost(), serverPort()),
        (int) connectTimeout.toMillis());
    return socket;
  }

  /** Trust is that of the cluster, as it is for Helm; our own identity is not for the proxy. */
  private Socket throughTls(Socket plain) throws IOException, GeneralSecurityException {
    var context = SSLContext.getInstance("TLS");
    context.init(null, ClusterTls.trust(endpoint), null);
    plain.connect(proxyAddress(), (int) connectTimeout.toMillis());
    plain.setSoTimeout((int) connectTimeout.toMillis());
    var socket =
        (SSLSocket)
            context.getSocketFactory().createSocket(plain, proxy.getHost(), proxy.getPort(), true);
    var parameters = socket.getSSLParameters();
    if (!endpoint.skipsTlsVerification()) {
      parameters.setEndpointIdentificationAlgorithm("HTTPS");
    }
    socket.setSSLParameters(parameters);
    var request = "CONNECT %1$s HTTP/1.1\r\nHost: %1$s\r\n\r\n".formatted(authority());
    socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
    if (!head(socket.getInputStream()).matches("(?s)HTTP/1\\.[01] 200.*")) {
      throw new IOException("proxy refused the CONNECT request");
    }
    plain.setSoTimeout(0);
    return socket;
  }

  private InetSocketAddress proxyAddress() {
    return new InetSocketAddress(proxy.getHost(), proxy.getPort());
  }

  private boolean isForOurServer(String head) {
    return head.startsWith("CONNECT " + authority() + " ");
  }

  private String authority() {
    return endpoint.server().getHost() + ":" + serverPort();
  }

  private int serverPort() {
    return endpoint.server().getPort() < 0 ? HTTPS_PORT : endpoint.server().getPort();
  }

  private static String scheme(URI uri) {
    return uri.getScheme().toLowerCase(Locale.ROOT);
  }

  /** Byte by byte up to the empty line: what follows belongs to somebody else. */
  private static String head(InputStream in) throws IOException {
    var head = new StringBuilder();
    while (!head.toString().endsWith("\r\n\r\n")) {
      int next = in.read();
      if (next < 0 || head.length() == MAX_HEAD) {
        throw new IOException("incomplete HTTP head");
      }
      head.append((char) next);
    }
    return head.toString();
  }

  private static void answer(Socket client, String status) throws IOException {
    client
        .getOutputStream()
        .write(("HTTP/1.1 " + status + "\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
  }

  private void pump(Socket from, Socket to) {
    try {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException e) {
      log.atTrace().log("proxy tunnel connection lost: {}", reason(e));
    } finally {
      end(from);
      end(to);
    }
  }

  private void end(Socket socket) {
    open.remove(socket);
    try {
      socket.close();
    } catch (IOException e) {
      log.atTrace().log("failed to close proxy tunnel: {}", reason(e));
    }
  }

  /** The type alone: messages may quote forwarded data. */
  private static String reason(Exception e) {
    return e.getClass().getSimpleName();
  }

  @Override
  public void close() {
    try {
      listening.close();
    } catch (IOException e) {
      log.atTrace().log("failed to close proxy tunnel: {}", reason(e));
    }
    open.forEach(this::end);
  }
}

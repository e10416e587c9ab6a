// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.kubeconfig.ApiEndpoint;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.pki.CertificateAuthority;
import io.krypton.sandbox.pki.InMemoryTls;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

@ExtendWith(ControlPlaneExtension.class)
class ProxyTunnelIT {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("proxy");

  @Test
  void an_api_server_is_reached_by_socks(@Cluster("east") ControlPlane east) throws Exception {
    try (var proxy = new TestProxy(new ServerSocket(0, 50, loopback()), false)) {
      reach(east, proxy, "socks5");
    }
  }

  @Test
  void an_api_server_is_reached_by_a_proxy_with_tls(@Cluster("east") ControlPlane east)
      throws Exception {
    var listening =
        InMemoryTls.server(AUTHORITY.server("proxy", List.of("localhost")))
            .getServerSocketFactory()
            .createServerSocket(0, 50, loopback());
    try (var proxy = new TestProxy(listening, true)) {
      reach(east, proxy, "https");
    }
  }

  private static InetAddress loopback() {
    return InetAddress.getLoopbackAddress();
  }

  private static void reach(ControlPlane plane, TestProxy proxy, String scheme) throws Exception {
    var url = URI.create("%s://127.0.0.1:%d".formatted(scheme, proxy.port()));
    try (var clients = new ClientFactory(RequestObserver.none());
        var connection =
            clients.connect(
                "east", through(plane, url), ClientSettings.remote("test").withoutRetries())) {
      assertThat(connection.probe(Duration.ofSeconds(20))).isInstanceOf(ProbeResult.Alive.class);
      assertThat(connection.client().namespaces().withName("default").get()).isNotNull();
      assertThat(proxy.tunnels).hasPositiveValue();
    }
  }

  private static ParsedKubeconfig.Accepted through(ControlPlane plane, URI proxy) {
    var direct =
        (ParsedKubeconfig.Accepted)
            ParsedKubeconfig.parse(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    var authorities = new ArrayList<>(direct.endpoint().authorities());
    authorities.add(AUTHORITY.certificate());
    return new ParsedKubeconfig.Accepted(
        new ApiEndpoint(direct.endpoint().server(), authorities, false, null, proxy),
        direct.credentials());
  }

  /** A proxy for one test: CONNECT behind TLS, or as much of SOCKS5 as is asked for. */
  private static final class TestProxy implements AutoCloseable {
    final AtomicInteger tunnels = new AtomicInteger();
    private final ServerSocket listening;
    private final boolean connects;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    TestProxy(ServerSocket listening, boolean connects) {
      this.listening = listening;
      this.connects = connects;
      threads.execute(this::accept);
    }

    int port() {
      return listening.getLocalPort();
    }

    private void accept() {
      while (!listening.isClosed()) {
        try {
          var client = listening.accept();
          threads.execute(() -> serve(client));
        } catch (IOException closed) {
          return;
        }
      }
    }

    private void serve(Socket client) {
      try (client;
          var server = connects ? byConnect(client) : bySocks(client)) {
        tunnels.incrementAndGet();
        var back =
            threads.submit(() -> server.getInputStream().transferTo(client.getOutputStream()));
        client.getInputStream().transferTo(server.getOutputStream());
        back.cancel(true);
      } catch (IOException cut) {
        // The other side has ended.
      }
    }

    private static Socket byConnect(Socket client) throws IOException {
      var head = new StringBuilder();
      while (!head.toString().endsWith("\r\n\r\n")) {
        head.append((char) client.getInputStream().read());
      }
      var authority = head.toString().split(" ")[1].split(":");
      var server = new Socket(authority[0], Integer.parseInt(authority[1]));
      client.getOutputStream().write("HTTP/1.1 200 OK\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
      return server;
    }

    private static Socket bySocks(Socket client) throws IOException {
      var in = client.getInputStream();
      var out = client.getOutputStream();
      in.readNBytes(1);
      in.readNBytes(in.read());
      out.write(new byte[] {5, 0});
      int kind = in.readNBytes(4)[3];
      var host =
          kind == 3
              ? new String(in.readNBytes(in.read()), StandardCharsets.US_ASCII)
              : InetAddress.getByAddress(in.readNBytes(4)).getHostAddress();
      var port = in.readNBytes(2);
      var server = new Socket(host, ((port[0] & 0xff) << 8) | (port[1] & 0xff));
      out.write(new byte[] {5, 0, 0, 1, 127, 0, 0, 1, 0, 0});
      return server;
    }

    @Override
    public void close() throws IOException {
      listening.close();
      threads.shutdownNow();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.pki;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.sandbox.pki.CertificateAuthority.IssuedIdentity;
import java.lang.management.ManagementFactory;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;

class InMemoryTlsTest {
  private static final CertificateAuthority AUTHORITY = CertificateAuthority.named("test");
  private static final int MANY = 100;

  /** Of processor time, which other processes do not use up: twenty times what it takes. */
  private static final long ALLOWED = TimeUnit.SECONDS.toNanos(2);

  @Test
  void a_context_costs_little_more_than_to_hold_a_key() throws Exception {
    var own = AUTHORITY.user("somebody", List.of());
    var _ = InMemoryTls.client(AUTHORITY.certificate(), own); // What is loaded once does not count.

    var used =
        processorTime(
            () -> {
              for (var i = 0; i < MANY; i++) {
                var _ = InMemoryTls.client(AUTHORITY.certificate(), own);
              }
            });

    assertThat(used).isLessThan(ALLOWED);
  }

  private static long processorTime(Runnable work) throws Exception {
    var measured =
        new FutureTask<>(
            () -> {
              work.run();
              return ManagementFactory.getThreadMXBean().getCurrentThreadCpuTime();
            });
    Thread.ofPlatform().start(measured);
    return measured.get();
  }

  @Test
  void both_sides_show_their_certificates() throws Exception {
    var server = AUTHORITY.server("server", List.of("localhost"));
    var user = AUTHORITY.user("somebody", List.of("some-group"));

    assertThat(seenBy(InMemoryTls.client(AUTHORITY.certificate(), server), user))
        .isEqualTo(user.certificate().getSubjectX500Principal().getName());
  }

  /** Who the server sees, after a handshake in which the client accepted the server. */
  private static String seenBy(SSLContext server, IssuedIdentity user) throws Exception {
    try (var listener = server.getServerSocketFactory().createServerSocket(0)) {
      var accepted =
          new FutureTask<>(
              () -> {
                try (var socket = (SSLSocket) listener.accept()) {
                  socket.setNeedClientAuth(true);
                  socket.startHandshake();
                  socket.getOutputStream().write(1);
                  return socket.getSession().getPeerPrincipal().getName();
                }
              });
      Thread.startVirtualThread(accepted);
      var client = InMemoryTls.client(AUTHORITY.certificate(), user).getSocketFactory();
      try (var socket = client.createSocket("localhost", listener.getLocalPort())) {
        assertThat(socket.getInputStream().read()).isEqualTo(1);
      }
      return accepted.get();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Against a server that never says anything by itself. */
class FaultProxyTest {
  private ServerSocket server;
  private FaultProxy proxy;

  @BeforeEach
  void open() throws IOException {
    server = new ServerSocket(0, 10, InetAddress.ofLiteral("127.0.0.1"));
    proxy = FaultProxy.before((InetSocketAddress) server.getLocalSocketAddress());
  }

  @AfterEach
  void close() throws IOException {
    proxy.close();
    server.close();
  }

  @Test
  void a_cut_on_a_kept_connection_counts_from_the_fault_on() throws IOException {
    try (var client = connect();
        var accepted = server.accept()) {
      accepted.getOutputStream().write(new byte[100]);
      assertThat(client.getInputStream().readNBytes(100)).hasSize(100);

      proxy.injectKeepingConnections(new Fault.CutAfter(10));
      accepted.getOutputStream().write(new byte[100]);

      assertThat(client.getInputStream().readAllBytes()).hasSize(10);
    }
  }

  @Test
  void an_answer_of_exactly_the_allowed_length_is_delivered_and_cut() throws IOException {
    proxy.cutAnswersAfter(100);
    try (var client = connect();
        var accepted = server.accept()) {
      accepted.getOutputStream().write(new byte[100]);

      assertThat(client.getInputStream().readAllBytes()).hasSize(100);
    }
  }

  @Test
  void the_end_of_one_side_reaches_the_other_while_that_may_still_speak() throws IOException {
    try (var client = connect();
        var accepted = server.accept()) {
      client.getOutputStream().write("question".getBytes(US_ASCII));
      client.shutdownOutput();
      assertThat(accepted.getInputStream().readAllBytes()).asString().isEqualTo("question");

      accepted.getOutputStream().write("answer".getBytes(US_ASCII));
      accepted.shutdownOutput();

      assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("answer");
    }
  }

  @Test
  void a_target_that_is_down_ends_the_connection() throws IOException {
    server.close();
    try (var client = connect()) {
      assertThat(client.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  void closing_ends_connections_that_wait_in_a_black_hole() throws IOException {
    proxy.blackHole();
    try (var client = connect()) {
      await().until(() -> proxy.openConnections() == 1);

      proxy.close();

      await().until(() -> proxy.openConnections() == 0);
      assertThat(client.getInputStream().readAllBytes()).isEmpty();
    }
  }

  @Test
  void closing_leaves_no_platform_thread_behind() {
    assertThat(dispatchers()).isPositive();

    proxy.close();

    await().until(() -> dispatchers() == 0);
  }

  @Test
  void a_fault_that_makes_no_sense_is_turned_down() {
    assertThatThrownBy(() -> Fault.answer(200)).hasMessage("status: 200 is no HTTP error");
    assertThatThrownBy(() -> new Fault.CutAfter(-1)).hasMessage("bytes: -1 is negative");
    assertThatThrownBy(() -> new Fault.Delay(Duration.ofMillis(-1)))
        .hasMessage("by: PT-0.001S is negative");
  }

  /** The proxy's only platform thread is that of the JDK's HTTP server. */
  private static long dispatchers() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().equals("HTTP-Dispatcher"))
        .count();
  }

  private Socket connect() throws IOException {
    return new Socket(proxy.url().getHost(), proxy.url().getPort());
  }
}

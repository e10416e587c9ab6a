// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.HashSet;
import org.junit.jupiter.api.Test;

class ReservedPortTest {
  @Test
  void nobody_who_asks_for_any_port_gets_a_held_one() throws IOException {
    try (var held = ReservedPort.any()) {
      var others = new ArrayList<ReservedPort>();
      for (int i = 0; i < 500; i++) {
        others.add(ReservedPort.any());
      }
      var numbers = new HashSet<Integer>();
      others.forEach(other -> numbers.add(other.number()));
      others.forEach(ReservedPort::close);

      assertThat(numbers).hasSize(500).doesNotContain(held.number());
    }
  }

  @Test
  void a_server_may_come_and_go_on_it() throws IOException {
    try (var held = ReservedPort.any()) {
      for (int round = 0; round < 3; round++) {
        assertThatThrownBy(() -> connect(held.address())).isInstanceOf(ConnectException.class);
        try (var server = listen(held.address());
            var client = connect(held.address());
            var accepted = server.accept()) {
          assertThat(accepted.getPort()).isEqualTo(client.getLocalPort());
        }
      }
    }
  }

  @Test
  void a_second_server_is_turned_away() throws IOException {
    try (var held = ReservedPort.any();
        var first = listen(held.address())) {
      assertThat(first.isBound()).isTrue();
      assertThatThrownBy(() -> listen(held.address())).isInstanceOf(BindException.class);
    }
  }

  private static Socket connect(InetSocketAddress address) throws IOException {
    return new Socket(address.getAddress(), address.getPort());
  }

  private static ServerSocket listen(InetSocketAddress address) throws IOException {
    var server = new ServerSocket();
    server.setReuseAddress(true);
    server.bind(address);
    return server;
  }
}

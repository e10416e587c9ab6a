// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.tls.serving;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import org.junit.jupiter.api.Test;

class ForwardLookupsOnlyTest {
  @Test
  void h5_names_are_looked_up_and_addresses_are_not() throws Exception {
    assertThat(InetAddress.getByName("localhost").isLoopbackAddress()).isTrue();
    assertThat(InetAddress.ofLiteral("127.0.0.1").getHostName()).isEqualTo("127.0.0.1");
  }
}

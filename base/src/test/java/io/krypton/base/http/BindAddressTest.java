// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.http;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class BindAddressTest {
  @ParameterizedTest
  @CsvSource({
    "':8080', 8080, false",
    "127.0.0.1:9, 9, true",
    "0.0.0.0:65535, 65535, true",
    "[::1]:80, 80, true",
    "localhost:0, 0, true",
    "kms.invalid:80, 80, false",
  })
  void an_address_is_read_as_flags_write_it(String text, int port, boolean literal) {
    assertThat(BindAddress.parse(text).orElseThrow().socket().orElseThrow().getPort())
        .isEqualTo(port);
    assertThat(BindAddress.parseLiteral(text).isPresent()).isEqualTo(literal);
  }

  @Test
  void an_address_without_host_is_every_address_and_localhost_is_loopback() {
    var any = BindAddress.parse(":1").orElseThrow().socket().orElseThrow();
    var loopback = BindAddress.parse("localhost:1").orElseThrow().socket().orElseThrow();

    assertThat(any.getAddress().isAnyLocalAddress()).isTrue();
    assertThat(loopback.getAddress().isLoopbackAddress()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", "8080", ":x", "1.2.3.4", ":70000", "::1:80", "[x]:1", "999.1.1.1:80", "[::1]"})
  void other_texts_are_refused(String text) {
    assertThat(BindAddress.parse(text)).isEmpty();
    assertThat(BindAddress.parseLiteral(text)).isEmpty();
  }

  @Test
  void zero_switches_the_server_off() {
    assertThat(BindAddress.parse("0")).contains(BindAddress.OFF);
    assertThat(BindAddress.parseLiteral("0")).contains(BindAddress.OFF);
  }
}

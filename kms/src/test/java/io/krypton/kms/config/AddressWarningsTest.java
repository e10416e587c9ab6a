// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.config.ProviderRoleAssigner.AddressWarnings;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Where endpoints lead to; what is no URL is part of the table of files. */
class AddressWarningsTest {
  @ParameterizedTest
  @CsvSource(
      quoteCharacter = '"',
      value = {
        "unix:///a/k.sock, \"\", /a/k.sock",
        "unix:/a/k.sock, \"\", /a/k.sock",
        "UNIX:///a/k.sock, \"\", /a/k.sock",
        "unix:///a/k.sock?q#f, \"\", /a/k.sock",
        "unix:///a/b%20c.sock, \"\", /a/b c.sock",
        "unix:///%C3%A9, \"\", /\u00e9",
        "unix:///\u00e9, \"\", /\u00e9",
        "unix:///@foo, \"\", @foo",
        "unix:///@foo/bar, \"\", @foo/bar",
        "unix://var/run/x.sock, var, /run/x.sock",
        "unix://u:p@host:80/x, host:80, /x",
        "unix://[::1]/x, [::1], /x",
        "unix:, \"\", \"\"",
        "unix://, \"\", \"\"",
        "unix:rel.sock, \"\", \"\"",
        "unix:@foo, \"\", \"\"",
        "unix://@foo, foo, \"\"",
      })
  void an_endpoint_leads_to_an_address(String endpoint, String host, String address) {
    assertThat(accepted(endpoint).droppedHost()).isEqualTo(host);
    assertThat(accepted(endpoint).address()).isEqualTo(address);
  }

  @Test
  void a_dropped_host_is_told_with_the_address_in_use() {
    assertThat(warnings("unix://var/run/x.sock"))
        .containsExactly(
            "\"var\" is read as a host and dropped, the address in use is \"/run/x.sock\": write"
                + " unix:///var/run/x.sock");
  }

  @Test
  void an_endpoint_without_a_socket_is_told() {
    assertThat(warnings("unix:rel.sock"))
        .containsExactly("the endpoint names no socket: write unix:///path/to/socket");
  }

  @Test
  void an_address_may_have_107_bytes() {
    assertThat(warnings("unix:///" + "a".repeat(106))).isEmpty();
    assertThat(warnings("unix:///" + "a".repeat(107)))
        .containsExactly("the address has 108 bytes, a unix socket can have 107");
    assertThat(warnings("unix:///" + "\u00e9".repeat(54)))
        .containsExactly("the address has 109 bytes, a unix socket can have 107");
  }

  @Test
  void an_abstract_name_may_have_107_bytes_behind_its_sign() {
    assertThat(warnings("unix:///@" + "a".repeat(107))).isEmpty();
    assertThat(warnings("unix:///@" + "a".repeat(108)))
        .containsExactly("the address has 108 bytes, a unix socket can have 107");
  }

  private static List<String> warnings(String endpoint) {
    return AddressWarnings.of(accepted(endpoint));
  }

  private static Endpoint accepted(String endpoint) {
    return ((ParsedEndpoint.Accepted) Endpoint.parse(endpoint)).endpoint();
  }
}

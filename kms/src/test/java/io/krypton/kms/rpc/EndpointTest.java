// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.rpc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.krypton.kms.rpc.Endpoint.ParsedEndpoint;
import java.io.IOException;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class EndpointTest {

  @ParameterizedTest(name = "{0} is the socket {1}")
  @CsvSource({
    "unix:///a/k.sock, /a/k.sock",
    "unix:/a/k.sock, /a/k.sock",
    "UNIX:///a/k.sock, /a/k.sock",
    "unix:///a/k.sock?q#f, /a/k.sock",
    "unix:///a/b%20c.sock, /a/b c.sock",
    "unix:///@foo, @foo",
    "unix:///@foo/bar, @foo/bar",
    "unix://var/run/x.sock, /run/x.sock",
    "unix:, ''",
    "unix://, ''",
    "unix:rel.sock, ''",
    "unix:@foo, ''",
    "unix://@foo, ''"
  })
  void is_read_as_kube_apiserver_reads_it(String text, String address) {
    assertThat(accepted(text).address()).isEqualTo(address);
  }

  @ParameterizedTest(name = "{0}")
  @MethodSource("whatGoSays")
  void is_taken_apart_as_go_does_it(String text, JsonNode expected) {
    if (expected.has("error")) {
      var error = expected.get("error").textValue();
      // Go names the exact fault of an IP literal; here it is enough to refuse it.
      var known = error.contains("ParseAddr(") ? error.substring(0, error.indexOf("):")) : error;
      assertThatThrownBy(() -> GoUrl.parse(text)).hasMessageStartingWith(known);
    } else {
      assertThat(Endpoint.parse(text)).isNotInstanceOf(ParsedEndpoint.Malformed.class);
      assertThat(parsed(text).scheme()).isEqualTo(expected.get("scheme").textValue());
      assertThat(parsed(text).host()).isEqualTo(expected.get("host").textValue());
      assertThat(parsed(text).path()).isEqualTo(expected.get("path").textValue());
    }
  }

  static Stream<Object[]> whatGoSays() throws IOException {
    var mapper = new ObjectMapper();
    try (var cases = EndpointTest.class.getResourceAsStream("/go-url-cases.jsonl")) {
      return mapper.readerFor(JsonNode.class).<JsonNode>readValues(cases).readAll().stream()
          .map(line -> new Object[] {line.get("text").textValue(), line});
    }
  }

  @ParameterizedTest(name = "{0}: {1}")
  @CsvSource(
      delimiter = '|',
      value = {
        "tcp://1.2.3.4/a | unsupported scheme \"tcp\", only unix is supported",
        "/a/k.sock | no scheme, write unix:///<absolute path>",
        "unix: | the address is empty, write unix:///<absolute path>",
        "unix:// | the address is empty, write unix:///<absolute path>",
        "unix:rel.sock | the path is relative, write unix:///<absolute path>",
        "unix:@foo | the path is relative, write unix:///<absolute path>",
        "unix://var/run/x | \"var\" is read as a host and dropped, write unix:///<absolute path>",
        "unix:///a%zz | parse \"unix:///a%zz\": invalid URL escape \"%zz\"",
        "unix:///a%00b | the address contains a NUL byte",
      })
  void a_reporter_refuses_what_cannot_work(String text, String why) {
    assertThat(Endpoint.rejectionReason(text)).contains(why);
  }

  @Test
  void a_path_may_have_107_bytes_and_not_one_more() {
    assertThat(accepted("unix:///" + "p".repeat(106)).unusableReason()).isEmpty();
    assertThat(Endpoint.rejectionReason("unix:///" + "p".repeat(107)))
        .contains("the path is 108 bytes long, a socket address holds 107");
  }

  @Test
  void an_abstract_name_may_have_107_bytes_and_not_one_more() {
    assertThat(accepted("unix:///@" + "n".repeat(107)).unusableReason()).isEmpty();
    assertThat(Endpoint.rejectionReason("unix:///@" + "n".repeat(108)))
        .contains("the abstract name is 108 bytes long, a socket address holds 107");
  }

  @Test
  void length_is_counted_in_bytes() {
    assertThat(accepted("unix:///" + "ü".repeat(54)).unusableReason())
        .contains("the path is 109 bytes long, a socket address holds 107");
  }

  @Test
  void a_good_endpoint_is_refused_by_nobody() {
    assertThat(Endpoint.rejectionReason("unix:///var/run/kmsplugin/kms-1.sock")).isEmpty();
    assertThat(Endpoint.rejectionReason("unix:///@kms-1")).isEmpty();
  }

  @Test
  void a_dropped_host_is_remembered() {
    assertThat(accepted("unix://var/run/x.sock").droppedHost()).isEqualTo("var");
  }

  private static Endpoint accepted(String text) {
    return ((ParsedEndpoint.Accepted) Endpoint.parse(text)).endpoint();
  }

  private static GoUrl parsed(String text) {
    try {
      return GoUrl.parse(text);
    } catch (GoUrl.MalformedException e) {
      throw new AssertionError(e);
    }
  }
}

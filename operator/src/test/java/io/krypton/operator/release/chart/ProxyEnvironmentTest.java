// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.chart;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.URI;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ProxyEnvironmentTest {
  private static final Map<String, String> BOTH =
      Map.of("HTTPS_PROXY", "http://secure.test:3128", "HTTP_PROXY", "plain.test:8080");

  @ParameterizedTest(name = "{0} by {1}")
  @CsvSource({
    "https://charts.test/index.yaml, http://secure.test:3128",
    "http://charts.test/index.yaml, http://plain.test:8080",
    "http://localhost:8080/x,",
    "http://127.0.0.1:8080/x,",
    "http://127.9.9.9/x,",
    "https://[::1]:8443/x,",
  })
  void the_scheme_chooses_the_variable_and_loopback_is_reached_directly(String uri, String proxy) {
    assertThat(new ProxyEnvironment(BOTH).proxyFor(URI.create(uri)).map(URI::toString))
        .isEqualTo(Optional.ofNullable(proxy));
  }

  @ParameterizedTest(name = "{0}: {1} directly = {2}")
  @CsvSource({
    "'charts.test', http://charts.test/, true",
    "'charts.test', http://eu.charts.test/, true",
    "'charts.test', http://mycharts.test/, false",
    "'.charts.test', http://charts.test/, false",
    "'.charts.test', http://eu.charts.test/, true",
    "'*.charts.test', http://eu.charts.test/, true",
    "'charts.test:8080', http://charts.test/, false",
    "'charts.test:8080', http://charts.test:8080/, true",
    "'charts.test:80', http://charts.test/, true",
    "'CHARTS.test', http://charts.TEST/, true",
    "'10.0.0.0/8', http://10.1.2.3/, true",
    "'10.0.0.0/8', http://11.1.2.3/, false",
    "'10.0.0.0/8', http://charts.test/, false",
    "'10.1.2.3', http://10.1.2.3/, true",
    "'10.1.2.3:80', http://10.1.2.3:81/, false",
    "'fd00::/8', 'http://[fd00::1]/', true",
    "'a.test, charts.test ,b.test', http://charts.test/, true",
    "'*', http://charts.test/, true",
    "',:80,10.0.0.0/x', http://charts.test/, false",
  })
  void exceptions_are_read_as_go_reads_them(String exceptions, String uri, boolean direct) {
    var variables =
        new ProxyEnvironment(Map.of("http_proxy", "http://proxy.test", "no_proxy", exceptions));
    assertThat(variables.proxyFor(URI.create(uri)).isEmpty()).isEqualTo(direct);
  }

  @Test
  void upper_case_wins_and_what_cannot_work_is_told_without_its_password() {
    var two =
        new ProxyEnvironment(Map.of("HTTP_PROXY", "http://a.test", "http_proxy", "http://b.test"));
    assertThat(two.proxyFor(URI.create("http://charts.test/")))
        .contains(URI.create("http://a.test"));
    var socks = new ProxyEnvironment(Map.of("HTTPS_PROXY", "socks5://user:hunter2@a.test"));
    assertThatThrownBy(() -> socks.proxyFor(URI.create("https://charts.test/")))
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageNotContaining("hunter2");
    var broken = new ProxyEnvironment(Map.of("HTTPS_PROXY", "http://user:hunter2@a test"));
    assertThatThrownBy(() -> broken.proxyFor(URI.create("https://charts.test/")))
        .hasMessageContaining("HTTPS_PROXY")
        .hasMessageNotContaining("hunter2");
  }
}

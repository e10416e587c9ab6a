// SPDX-License-Identifier: Apache-2.0
package io.krypton.sandbox.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.access.KubeApi;
import io.krypton.sandbox.access.KubeApi.ApiResponse;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.http.HttpTimeoutException;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(ControlPlaneExtension.class)
class FaultProxyIT {
  private static final Duration IMPATIENT = Duration.ofMillis(500);

  private ControlPlane home;
  private FaultProxy proxy;

  @BeforeEach
  void open(@Cluster("home") ControlPlane plane) {
    home = plane;
    proxy = home.proxy();
  }

  @AfterEach
  void close() {
    proxy.close();
  }

  @Test
  void passing_leaves_tls_and_client_certificates_alone() {
    try (var client = client()) {
      var who = client.post("/apis/authentication.k8s.io/v1/selfsubjectreviews", "{}").orThrow();

      assertThat(who.at("/status/userInfo/username").textValue()).isEqualTo("admin");
      assertThat(proxy.acceptedConnections()).isEqualTo(1);
      assertThat(proxy.openConnections()).isEqualTo(1);
    }
    await().until(() -> proxy.openConnections() == 0);
  }

  @Test
  void refusing_closes_the_port_and_passing_opens_the_same_one() {
    var url = proxy.url();
    proxy.refuse();
    assertThatThrownBy(this::ready).hasCauseInstanceOf(ConnectException.class);

    proxy.pass();

    assertThat(proxy.url()).isEqualTo(url);
    assertThat(ready().status()).isEqualTo(200);
  }

  @Test
  void a_fault_cuts_the_connections_that_are_open() {
    try (var client = client()) {
      client.get("/readyz").orThrow();
      proxy.refuse();

      await().until(() -> proxy.openConnections() == 0);
      assertThatThrownBy(() -> client.get("/readyz")).isInstanceOf(UncheckedIOException.class);
    }
  }

  @Test
  void a_black_hole_accepts_and_never_answers() {
    proxy.blackHole();
    try (var client = client()) {
      assertThatThrownBy(() -> impatiently(client)).hasCauseInstanceOf(HttpTimeoutException.class);
    }
    assertThat(proxy.acceptedConnections()).isPositive();

    proxy.pass();

    assertThat(ready().status()).isEqualTo(200);
  }

  @Test
  void a_black_hole_swallows_what_open_connections_carry_until_it_ends() {
    try (var client = client()) {
      client.get("/readyz").orThrow();
      proxy.injectKeepingConnections(new Fault.BlackHole());
      assertThatThrownBy(() -> impatiently(client)).hasCauseInstanceOf(HttpTimeoutException.class);

      proxy.injectKeepingConnections(new Fault.Pass());

      assertThat(client.get("/readyz").status()).isEqualTo(200);
      assertThat(proxy.acceptedConnections()).isEqualTo(1);
    }
  }

  @Test
  void a_delay_makes_answers_late() {
    var delay = Duration.ofMillis(200);
    proxy.delay(delay);
    var begin = System.nanoTime();

    assertThat(ready().status()).isEqualTo(200);

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(delay);
  }

  @Test
  void an_answer_is_cut_in_the_middle(@Cluster("home") TestNamespace namespace) {
    var path = namespace.path() + "/configmaps";
    var big =
        "{\"metadata\": {\"name\": \"big\"}, \"data\": {\"x\": \"%s\"}}"
            .formatted("x".repeat(200_000));
    home.admin().post(path, big).orThrow();
    proxy.cutAnswersAfter(100_000);

    assertThatThrownBy(() -> get(path + "/big"))
        .isInstanceOf(UncheckedIOException.class)
        .cause()
        .isNotInstanceOfAny(ConnectException.class, HttpTimeoutException.class);

    assertThat(ready().status()).as("a short answer fits").isEqualTo(200);
    proxy.pass();
    assertThat(get(path + "/big").status()).isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource({
    "401, Unauthorized",
    "403, Forbidden",
    "429, TooManyRequests",
    "500, InternalError",
    "503, ServiceUnavailable"
  })
  void it_answers_for_the_api_server(int status, String reason) {
    proxy.answer(status);

    try (var client = client()) {
      for (int i = 0; i < 2; i++) {
        var answer = client.post("/api/v1/namespaces", "{\"metadata\": {\"name\": \"never\"}}");
        assertThat(answer.status()).isEqualTo(status);
        assertThat(answer.body().path("kind").asText()).isEqualTo("Status");
        assertThat(answer.body().path("reason").asText()).isEqualTo(reason);
      }
    }
    assertThat(home.admin().get("/api/v1/namespaces/never").status()).isEqualTo(404);
  }

  @Test
  void it_answers_a_number_of_times_and_passes_again() {
    proxy.inject(Fault.answer(429).retryAfter(Duration.ofSeconds(7)).times(2));

    try (var client = client()) {
      var first = client.get("/readyz");
      assertThat(first.status()).isEqualTo(429);
      assertThat(first.header("Retry-After")).contains("7");
      assertThat(client.get("/readyz").status()).isEqualTo(429);
      assertThat(client.get("/readyz").status()).isEqualTo(200);
      assertThat(client.get("/readyz").status()).isEqualTo(200);
    }
    assertThat(proxy.acceptedConnections()).isEqualTo(3);
  }

  @Test
  void it_answers_for_a_while_and_passes_again() {
    var begin = System.nanoTime();
    var period = Duration.ofSeconds(1);
    proxy.inject(Fault.answer(503).during(period));
    assertThat(ready().status()).isEqualTo(503);

    await().until(() -> ready().ok());

    assertThat(Duration.ofNanos(System.nanoTime() - begin)).isGreaterThanOrEqualTo(period);
  }

  @Test
  void it_stands_before_plain_text_servers_too() {
    var etcd = home.etcdEndpoint();
    try (var plain = FaultProxy.before(new InetSocketAddress(etcd.getHost(), etcd.getPort()))) {
      assertThat(healthThrough(plain)).isEqualTo(200);
      plain.answer(503);
      assertThat(healthThrough(plain)).isEqualTo(503);
      plain.pass();
      assertThat(healthThrough(plain)).isEqualTo(200);
    }
  }

  private ApiResponse ready() {
    return get("/readyz");
  }

  /** Over a new connection. */
  private ApiResponse get(String path) {
    try (var client = client()) {
      return client.get(path);
    }
  }

  private KubeApi client() {
    return new KubeApi(home.access("admin", "system:masters").via(proxy.url()));
  }

  private static ApiResponse impatiently(KubeApi client) {
    return client.send(client.request("/readyz").timeout(IMPATIENT));
  }

  private static int healthThrough(FaultProxy proxy) {
    try (var http = HttpClient.newHttpClient()) {
      var request = HttpRequest.newBuilder(proxy.url().resolve("/health")).build();
      return http.sendAsync(request, BodyHandlers.discarding()).join().statusCode();
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.RequestConfigBuilder;
import io.krypton.multicluster.client.ClusterConnection.CircuitOpenException;
import io.krypton.multicluster.client.ClusterConnection.ProbeResult;
import io.krypton.multicluster.client.ClusterFailure.Kind;
import io.krypton.multicluster.cluster.FakeApiServer;
import io.krypton.multicluster.kubeconfig.ParsedKubeconfig;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.net.http.HttpTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ClusterConnectionTest {
  private static final Duration LIMIT = Duration.ofSeconds(30);
  private static final ClientSettings SETTINGS = ClientSettings.remote("test").withoutRetries();

  private final List<String> requests = new CopyOnWriteArrayList<>();
  private final ClientFactory clients =
      new ClientFactory((cluster, verb, code) -> requests.add(cluster + " " + verb + " " + code));
  private FakeApiServer server;

  @BeforeEach
  void start() throws Exception {
    server = FakeApiServer.start("uid");
  }

  @AfterEach
  void stop() {
    server.close();
    clients.close();
  }

  private ClusterConnection connect(ClientSettings settings) {
    return clients.connect("edge", accepted(server.kubeconfig("t")), settings);
  }

  private static ParsedKubeconfig.Accepted accepted(byte[] kubeconfig) {
    return (ParsedKubeconfig.Accepted) ParsedKubeconfig.parse(kubeconfig);
  }

  @Test
  void fifty_closed_clients_leave_no_thread() {
    var threads = ManagementFactory.getThreadMXBean();
    var before = threads.getThreadCount();
    var connections = new ArrayList<ClusterConnection>();
    for (int i = 0; i < 50; i++) {
      var connection = connect(SETTINGS);
      connection.client().namespaces().withName("kube-system").get();
      connections.add(connection);
    }
    assertThat(threads.getThreadCount()).isGreaterThan(before + 40);

    connections.forEach(ClusterConnection::close);

    // A little room for threads of the JVM itself, none for one per client.
    await().atMost(LIMIT).until(() -> threads.getThreadCount() <= before + 5);
  }

  @Test
  void a_client_of_the_trusted_kind_leaves_no_thread_either() {
    var threads = ManagementFactory.getThreadMXBean();
    var before = threads.getThreadCount();
    var config =
        Config.fromKubeconfig(
            new String(server.kubeconfig("t"), StandardCharsets.UTF_8) + "current-context: x\n");
    for (int i = 0; i < 20; i++) {
      try (var connection = clients.connectTrusted("home", config, SETTINGS)) {
        connection.client().namespaces().withName("kube-system").get();
      }
    }

    await().atMost(LIMIT).until(() -> threads.getThreadCount() <= before + 5);
  }

  @Test
  void every_request_is_counted_with_its_verb_and_code() {
    try (var connection = connect(SETTINGS)) {
      connection.client().namespaces().withName("kube-system").get();
      connection.client().namespaces().withName("other").get();
    }

    assertThat(requests).containsExactly("edge GET 200", "edge GET 404");
  }

  @Test
  void a_client_of_home_may_always_write_even_if_a_cluster_has_the_same_name() {
    try (var guarded = new ClientFactory(RequestObserver.none(), cluster -> false);
        var home = guarded.forHome().connect("home", accepted(server.kubeconfig("t")), SETTINGS)) {
      int sent = server.requests();
      home.client().namespaces().withName("x").delete();
      assertThat(server.requests()).isGreaterThan(sent);
    }
  }

  @Test
  void what_only_the_leader_writes_on_home_asks_for_the_lease_before_each_write() {
    var leads = new AtomicBoolean(true);
    try (var home = clients.forHome().connect("home", accepted(server.kubeconfig("t")), SETTINGS)) {
      try (var fenced = home.fenced(leads::get)) {
        fenced.namespaces().withName("x").delete();
        assertThat(requests).hasSize(1).allMatch(request -> request.startsWith("home DELETE"));

        leads.set(false);

        assertThatThrownBy(() -> fenced.namespaces().withName("x").delete())
            .hasMessageContaining("not the leader");
        assertThat(requests).hasSize(1);
        assertThat(fenced.namespaces().withName("kube-system").get()).isNotNull();
        assertThat(server.lastHeader("authorization")).isEqualTo("Bearer t");
      }
      home.client().namespaces().withName("x").delete();
      assertThat(requests).as("every replica's own client goes on").hasSize(3);
    }
  }

  @Test
  void a_client_that_may_not_write_can_still_read() {
    try (var guarded = new ClientFactory(RequestObserver.none(), cluster -> false);
        var connection = guarded.connect("edge", accepted(server.kubeconfig("t")), SETTINGS)) {
      assertThat(connection.client().namespaces().withName("kube-system").get()).isNotNull();
      int sent = server.requests();
      assertThatThrownBy(() -> connection.client().namespaces().withName("x").delete())
          .hasMessageContaining("not the leader");
      assertThat(server.requests()).isEqualTo(sent);
    }
  }

  @Test
  void requests_beyond_the_burst_are_spread_over_time() {
    var start = System.nanoTime();
    try (var connection = connect(SETTINGS.withRate(20, 1))) {
      for (int i = 0; i < 6; i++) {
        connection.client().namespaces().withName("kube-system").get();
      }
    }

    assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(200));
  }

  @Test
  void an_open_circuit_sends_nothing_but_probes() throws Exception {
    try (var connection = connect(SETTINGS)) {
      connection.openCircuit();
      var client = connection.client();
      assertThatThrownBy(() -> client.namespaces().withName("kube-system").get())
          .hasRootCauseInstanceOf(CircuitOpenException.class);
      assertThat(requests).isEmpty();
      assertThat(connection.probe(LIMIT)).isEqualTo(new ProbeResult.Alive("v1.36.0"));

      connection.closeCircuit();

      assertThat(client.namespaces().withName("kube-system").get()).isNotNull();
    }
  }

  @Test
  void opening_the_circuit_ends_requests_that_hang() {
    server.silent(true);
    try (var connection = connect(SETTINGS)) {
      var failure = new CopyOnWriteArrayList<Throwable>();
      var hanging =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      connection.client().namespaces().withName("kube-system").get();
                    } catch (RuntimeException e) {
                      failure.add(e);
                    }
                  });
      await().atMost(LIMIT).until(() -> server.requests() == 1);

      connection.openCircuit();

      await().atMost(LIMIT).until(() -> !hanging.isAlive());
      assertThat(failure).hasSize(1);
    }
  }

  /** A run outlives the connection it began on when the kubeconfig is rotated under it. */
  @Test
  void closing_ends_requests_that_the_library_would_retry() {
    server.silent(true);
    var failure = new CopyOnWriteArrayList<Throwable>();
    Thread waiting;
    try (var connection = connect(ClientSettings.remote("test"))) {
      waiting =
          Thread.ofVirtual()
              .start(
                  () -> {
                    try {
                      connection.client().namespaces().withName("kube-system").get();
                    } catch (RuntimeException e) {
                      failure.add(e);
                    }
                  });
      await().atMost(LIMIT).until(() -> server.requests() == 1);
    }

    await().atMost(LIMIT).until(() -> !waiting.isAlive());
    assertThat(failure).hasSize(1);
  }

  @Test
  void a_request_on_a_closed_client_fails_as_any_other_without_an_answer() {
    var connection = connect(ClientSettings.remote("test"));
    connection.close();

    assertThatThrownBy(() -> connection.client().namespaces().withName("x").get())
        .isInstanceOf(KubernetesClientException.class)
        .hasRootCauseInstanceOf(IOException.class);
  }

  /** Events and questions on the side use this: they must not wait as long as real work. */
  @Test
  void a_shorter_limit_for_some_requests_is_kept() {
    server.silent(true);
    var longTimeout =
        ClientSettings.remote("test").withTimeouts(LIMIT.multipliedBy(10), LIMIT.multipliedBy(10));
    try (var connection = connect(longTimeout)) {
      var client = connection.client();
      var shortTimeout =
          new RequestConfigBuilder(client.getConfiguration().getRequestConfig())
              .withRequestTimeout(300)
              .withRequestRetryBackoffLimit(0)
              .build();
      var start = System.nanoTime();

      assertThatThrownBy(
              () ->
                  client
                      .newClient(shortTimeout)
                      .adapt(KubernetesClient.class)
                      .namespaces()
                      .withName("kube-system")
                      .get())
          .hasRootCauseInstanceOf(HttpTimeoutException.class);

      assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
      assertThat(requests).containsExactly("edge GET 0");
    }
  }

  @ParameterizedTest(name = "{0} is {1}")
  @CsvSource({
    "401, CREDENTIALS_REFUSED",
    "403, CREDENTIALS_REFUSED",
    "404, BAD_ANSWER",
    "500, BAD_ANSWER",
    "503, BAD_ANSWER",
    "302, BAD_ANSWER"
  })
  void an_unhealthy_status_is_a_failure_of_its_kind(int status, Kind kind) throws Exception {
    server.status(status);
    try (var connection = connect(SETTINGS)) {
      assertThat(connection.probe(LIMIT))
          .isInstanceOfSatisfying(
              ProbeResult.Failed.class,
              failed -> assertThat(failed.failure().kind()).isEqualTo(kind));
    }
  }

  @Test
  void too_many_requests_is_a_sign_of_life() throws Exception {
    server.status(429);
    try (var connection = connect(SETTINGS)) {
      assertThat(connection.probe(LIMIT)).isInstanceOf(ProbeResult.Alive.class);
    }
  }

  @Test
  void silence_ends_with_the_limit() throws Exception {
    server.silent(true);
    var start = System.nanoTime();
    try (var connection = connect(SETTINGS)) {
      assertThat(kindOf(connection.probe(Duration.ofMillis(300)))).isEqualTo(Kind.TIMEOUT);
    }
    assertThat(Duration.ofNanos(System.nanoTime() - start)).isLessThan(LIMIT);
  }

  @Test
  void a_body_that_is_no_json_or_has_no_end_is_no_version() throws Exception {
    try (var connection = connect(SETTINGS)) {
      server.answer("/version", "<html>");
      assertThat(kindOf(connection.probe(LIMIT))).isEqualTo(Kind.BAD_ANSWER);
      server.answer("/version", "{\"gitVersion\":\"" + "x".repeat(100_000) + "\"}");
      assertThat(connection.probe(LIMIT)).isInstanceOf(ProbeResult.Failed.class);
    }
  }

  @Test
  void a_closed_port_is_no_connection() throws Exception {
    try (var connection = connect(SETTINGS)) {
      server.close();
      assertThat(kindOf(connection.probe(LIMIT))).isEqualTo(Kind.NO_CONNECTION);
    }
  }

  @Test
  void an_unknown_host_is_no_connection_and_says_so() throws Exception {
    var text = new String(server.kubeconfig("t"), StandardCharsets.UTF_8);
    var lost = text.replace("127.0.0.1", "nowhere.invalid").getBytes(StandardCharsets.UTF_8);
    try (var connection = clients.connect("edge", accepted(lost), SETTINGS)) {
      assertThat(connection.probe(LIMIT))
          .isInstanceOfSatisfying(
              ProbeResult.Failed.class,
              failed -> assertThat(failed.failure().message()).contains("does not resolve"));
    }
  }

  @Test
  void the_environment_and_the_users_own_kubeconfig_play_no_part_after_a_401() {
    server.status(401);
    try (var connection = connect(SETTINGS)) {
      assertThatThrownBy(() -> connection.client().namespaces().withName("kube-system").get())
          .isInstanceOf(KubernetesClientException.class);
    }

    assertThat(requests).containsExactly("edge GET 401");
    assertThat(server.lastHeader("Authorization")).isEqualTo("Bearer t");
  }

  private static Kind kindOf(ProbeResult result) {
    return ((ProbeResult.Failed) result).failure().kind();
  }
}

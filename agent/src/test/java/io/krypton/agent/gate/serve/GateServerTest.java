// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate.serve;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.gate.GateProcess;
import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.GateLab;
import io.krypton.agent.gate.lab.LabPlugin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A serving gate over HTTP, with two plugins. */
class GateServerTest {
  private static final int CLIENTS = 100;
  private static final int REQUESTS = 3000;
  private static final Duration LIMIT = Duration.ofSeconds(30);

  @TempDir Path directory;
  private LabPlugin a;
  private LabPlugin b;
  private final List<GateProcess> gates = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();

  @BeforeEach
  void start() {
    a = LabPlugin.started(directory.resolve("a.sock"));
    b = LabPlugin.started(directory.resolve("b.sock"));
    configure("2s");
  }

  private void configure(String timeoutOfB) {
    Configurations.write(
        file(),
        entry(
            v2("a", directory.resolve("a.sock")),
            v2("b", "unix://" + directory.resolve("b.sock"), timeoutOfB)));
  }

  @AfterEach
  void stop() {
    gates.forEach(GateProcess::close);
    http.close();
    a.close();
    b.close();
  }

  @Test
  void headers_are_those_of_kube_apiserver_and_the_verdict() throws Exception {
    serve("interval=60s");
    var ready = get("/readyz");
    assertThat(ready.statusCode()).isEqualTo(200);
    assertThat(ready.body()).isEqualTo("ok");
    assertThat(ready.headers().map())
        .containsEntry("content-type", List.of("text/plain; charset=utf-8"))
        .containsEntry("cache-control", List.of("no-cache, private"))
        .containsEntry("x-content-type-options", List.of("nosniff"))
        .containsEntry("content-length", List.of("2"))
        .containsEntry("x-kms-gate-verdict", List.of("ok"));
    assertThat(get("/readyz/kms-providers").headers().firstValue("X-Content-Type-Options"))
        .isEmpty();
    assertThat(get("/nothing").body()).isEqualTo("404 page not found\n");
    assertThat(get("/readyz/").statusCode()).isEqualTo(404);

    var head = send(request("/readyz?verbose").method("HEAD", BodyPublishers.noBody()));
    assertThat(head.body()).isEmpty();
    assertThat(head.headers().firstValue("Content-Length"))
        .hasValueSatisfying(length -> assertThat(Integer.parseInt(length)).isGreaterThan(50));
    assertThat(send(request("/readyz").POST(BodyPublishers.ofString("x"))).body()).isEqualTo("ok");

    assertThat(get("/metrics").body())
        .contains("kubernetes_healthcheck{name=\"kms-provider-1\",type=\"readyz\"} 1\n")
        .contains("krypton_gate_verdict{provider_name=\"a\",index=\"0\",role=\"WRITE\"} 0\n")
        .contains("krypton_gate_verdict{provider_name=\"b\",index=\"1\",role=\"READ\"} 0\n")
        .contains("krypton_gate_config_info{hash=\"sha256:")
        .contains("method_name=\"Encrypt\",grpc_status_code=\"OK\",le=\"0.0001\"}")
        .doesNotContain(Configurations.KEY)
        .doesNotContain("key-1");
  }

  @Test
  void thousands_of_requests_cost_no_call() throws Exception {
    serve("interval=60s");
    var before = a.calls() + b.calls();
    var begin = System.nanoTime();
    var threads = new ArrayList<Thread>();
    for (int i = 0; i < 10; i++) {
      threads.add(Thread.ofVirtual().start(() -> askOften(REQUESTS / 10)));
    }
    for (var thread : threads) {
      thread.join();
    }
    var took = Duration.ofNanos(System.nanoTime() - begin);
    System.out.printf(
        "%d requests in %d ms: %.0f per second, %d extra calls%n",
        REQUESTS,
        took.toMillis(),
        REQUESTS * 1e3 / took.toMillis(),
        a.calls() + b.calls() - before);
    assertThat(a.calls() + b.calls()).isEqualTo(before);
    assertThat(get("/metrics").body())
        .contains(
            "kubernetes_healthchecks_total{name=\"ping\",type=\"readyz\",status=\"success\"}");
  }

  private void askOften(int times) {
    try (var client = HttpClient.newHttpClient()) {
      for (int i = 0; i < times; i++) {
        var answer = client.send(request("/readyz").build(), BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
          throw new IllegalStateException(answer.body());
        }
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void an_answer_waits_for_no_probe() throws Exception {
    var longerThanTheTest = "1h";
    configure(longerThanTheTest);
    serve("interval=300ms", "unhealthy-interval=300ms");
    b.manners().hang(true);
    var calls = b.calls();
    await().until(() -> b.calls() > calls);
    for (int i = 0; i < CLIENTS; i++) {
      abandon("/readyz?verbose");
    }

    var answer = send(request("/readyz?verbose").timeout(LIMIT));

    assertThat(answer.body()).contains("[+]kms-provider-0 ok", "[+]kms-provider-1 ok");
  }

  @Test
  void impatient_clients_during_a_hang_turn_nobody_else_red() throws Exception {
    // Long enough that the good one is not stale before it is asked again, however busy we are.
    serve("interval=5s", "unhealthy-interval=300ms");
    b.manners().hang(true);
    for (int i = 0; i < CLIENTS; i++) {
      abandon("/readyz?verbose");
    }
    await()
        .atMost(LIMIT)
        .until(
            () -> {
              abandon("/readyz");
              var body = get("/readyz?verbose").body();
              assertThat(body).contains("[+]kms-provider-0 ok");
              return body.contains("[-]kms-provider-1 failed: reason withheld");
            });
    assertThat(get("/readyz/kms/b").body()).contains("WAIT Timeout in status: no answer within 2s");
    assertThat(get("/readyz/kms/a").body()).isEqualTo("ok");
    b.manners().hang(false);
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
  }

  /** Sends a request and hangs up before the answer. */
  private void abandon(String path) throws IOException {
    try (var socket = new Socket(address().getAddress(), address().getPort())) {
      socket
          .getOutputStream()
          .write(
              "GET %s HTTP/1.1\r\nHost: x\r\n\r\n"
                  .formatted(path)
                  .getBytes(StandardCharsets.US_ASCII));
    }
  }

  @Test
  void a_file_that_comes_late_is_waited_for_and_a_swapped_one_is_noticed() throws Exception {
    Files.delete(file());
    open("interval=60s");
    await()
        .untilAsserted(
            () ->
                assertThat(get("/readyz/config").body())
                    .startsWith("internal server error: no valid configuration: ")
                    .contains("no such file or directory"));
    assertThat(get("/livez").body()).isEqualTo("ok");
    Configurations.write(file(), entry(v2("a", directory.resolve("a.sock"))));
    await().until(() -> get("/readyz").statusCode() == 200);

    Configurations.write(file(), "kind: Nonsense\n");
    await().untilAsserted(() -> assertThat(get("/readyz/config").body()).contains("not in use: "));
    assertThat(get("/readyz/kms-provider-0").body()).isEqualTo("ok");
    assertThat(get("/healthz?format=json").body()).contains("\"error\":\"configuration sha256:");
    Configurations.write(file(), entry(v2("b", directory.resolve("b.sock"))));
    await().until(() -> get("/readyz/kms/b").statusCode() == 200);
    assertThat(get("/readyz").body()).isEqualTo("ok");
  }

  private void serve(String... flags) {
    open(flags);
    await().atMost(LIMIT).until(() -> get("/readyz").statusCode() == 200);
  }

  private void open(String... flags) {
    var gate = new GateProcess(settings(flags), () -> {});
    gates.add(gate);
    gate.start();
    await().until(() -> gate.address().isPresent());
  }

  private GateSettings settings(String... flags) {
    return GateLab.settings(GateMode.SERVE, file(), flags);
  }

  private Path file() {
    return directory.resolve("c.yaml");
  }

  private InetSocketAddress address() {
    return gates.getLast().address().orElseThrow();
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(
        URI.create("http://127.0.0.1:%d%s".formatted(address().getPort(), path)));
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return send(request(path));
  }

  private HttpResponse<String> send(HttpRequest.Builder request)
      throws IOException, InterruptedException {
    return http.send(request.build(), BodyHandlers.ofString());
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static io.krypton.agent.gate.lab.Configurations.entry;
import static io.krypton.agent.gate.lab.Configurations.v2;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.AgentMain;
import io.krypton.agent.gate.lab.Configurations;
import io.krypton.agent.gate.lab.LabPlugin;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Gates as processes of their own: how they begin, and how they end by a signal. */
class ProcessesIT {
  private static final int STOPPED = 143;

  private static final Duration PATIENCE = Duration.ofMinutes(1);

  @TempDir Path directory;
  private final List<Process> processes = new ArrayList<>();
  private final HttpClient http = HttpClient.newHttpClient();
  private LabPlugin plugin;
  private Path configuration;

  @BeforeEach
  void start() {
    plugin = LabPlugin.started(directory.resolve("kms-1.sock"));
    configuration =
        Configurations.write(
            directory.resolve("c.yaml"), entry(v2("one", directory.resolve("kms-1.sock"))));
  }

  @AfterEach
  void stop() {
    processes.forEach(Process::destroyForcibly);
    plugin.close();
    http.close();
  }

  @Test
  void a_serving_gate_says_goodbye_and_the_agent_is_both() throws Exception {
    var gatePort = freePort();
    var begin = System.nanoTime();
    var gate = launch("gate", "serve", "--listen=127.0.0.1:" + gatePort, configurationFlag(""));
    await().pollInterval(Duration.ofMillis(10)).atMost(PATIENCE).until(() -> plugin.calls() > 0);
    var took = Duration.ofNanos(System.nanoTime() - begin);
    var worked = gate.info().totalCpuDuration().orElseThrow();
    System.out.printf(
        "first probe %d ms after the start of the JVM, which worked for %d ms, without a cache%n",
        took.toMillis(), worked.toMillis());
    var agentGate = freePort();
    var agentReporter = freePort();
    var agent =
        launch(
            "agent",
            "--kms-sockets=1=unix://" + directory.resolve("kms-1.sock"),
            "--node-name=n",
            "--kubeconfig=" + directory.resolve("missing"),
            "--listen=127.0.0.1:" + agentReporter,
            "--gate-listen=127.0.0.1:" + agentGate,
            configurationFlag("gate-"));
    await().atMost(PATIENCE).until(() -> get(gatePort, "/readyz").equals("200 ok"));

    gate.destroy();
    var signalled = System.nanoTime();
    var goodbye = answersUntilGone(gatePort);
    assertThat(goodbye.get("/readyz")).last().asString().startsWith("500");
    assertThat(goodbye.get("/readyz")).last().asString().contains("[-]shutdown failed: reason");
    assertThat(goodbye.get("/livez")).containsOnly("200 ok");
    assertThat(goodbye.get("/healthz")).containsOnly("200 ok");
    assertThat(exit(gate)).isEqualTo(STOPPED);
    System.out.printf(
        "serving gate down %d ms after the signal%n", (System.nanoTime() - signalled) / 1_000_000);

    await().atMost(PATIENCE).until(() -> get(agentGate, "/readyz").equals("200 ok"));
    await().atMost(PATIENCE).until(() -> get(agentReporter, "/readyz").startsWith("200"));
    assertThat(get(agentReporter, "/healthz")).contains("keyID=1 status=healthy");
    agent.destroy();
    assertThat(exit(agent)).isEqualTo(STOPPED);
  }

  @Test
  void a_waiting_gate_leaves_word_when_it_is_stopped() throws Exception {
    plugin.stop();
    var log = directory.resolve("termination");
    var gate = launch("gate", "wait", "--termination-log=" + log, configurationFlag(""));
    var lines = directory.resolve("process-0.log");
    await().atMost(PATIENCE).until(() -> Files.readString(lines).contains("SocketMissing"));
    gate.destroy();
    assertThat(exit(gate)).isEqualTo(STOPPED);
    assertThat(Files.readString(log))
        .contains("\"verdict\":\"stopped\",\"exit\":143")
        .contains("\"reason\":\"SocketMissing\"");
    assertThat(Files.readString(lines)).doesNotContain(Configurations.KEY);
  }

  /** What each page says until nobody listens any more, each answer once. */
  private Map<String, Set<String>> answersUntilGone(int port) throws InterruptedException {
    var answers = new HashMap<String, Set<String>>();
    while (true) {
      for (var page : List.of("/readyz", "/livez", "/healthz")) {
        var answer = get(port, page);
        if (answer.isEmpty()) {
          return answers;
        }
        answers.computeIfAbsent(page, _ -> new LinkedHashSet<>()).add(answer);
      }
    }
  }

  private String configurationFlag(String prefix) {
    return "--%sencryption-provider-config=%s".formatted(prefix, configuration);
  }

  private Process launch(String... arguments) throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                ProcessHandle.current().info().command().orElseThrow(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                AgentMain.class.getName()));
    command.addAll(List.of(arguments));
    var log = directory.resolve("process-%d.log".formatted(processes.size()));
    var process =
        new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log.toFile()).start();
    processes.add(process);
    return process;
  }

  private static int exit(Process process) throws InterruptedException {
    assertThat(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /** Status and body; empty while nobody listens. */
  private String get(int port, String path) throws InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d%s".formatted(port, path)));
    try {
      var answer = http.send(request.build(), BodyHandlers.ofString());
      return answer.statusCode() + " " + answer.body();
    } catch (IOException e) {
      return "";
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

package io.krypton.bench;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Binary;
import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/** The operator as it ships, and what it tells about itself. */
final class BenchOperator implements AutoCloseable {
  private static final Duration POLL = Duration.ofMillis(100);

  private final Process process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private BenchOperator(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  static BenchOperator start(Path distribution, Path directory, ControlPlane home, String... flags)
      throws IOException {
    var kubeconfig =
        Files.writeString(directory.resolve("home.kubeconfig"), home.adminKubeconfig());
    var port = freePort();
    var command =
        new ArrayList<>(
            List.of(
                distribution.resolve("bin/krypton").toString(),
                "operator",
                "--kubeconfig=" + kubeconfig,
                "--namespace=bench",
                "--self-cluster=never",
                "--helm-binary=" + Assets.fromEnvironment().find(Binary.HELM),
                "--data-dir=" + directory.resolve("data"),
                "--metrics-bind-address=127.0.0.1:" + port,
                "--health-probe-bind-address=0"));
    command.addAll(List.of(flags));
    var log = directory.resolve("operator.log").toFile();
    var process = new ProcessBuilder(command).redirectOutput(log).redirectError(log).start();
    return new BenchOperator(process, port);
  }

  ProcessFigures figures() throws IOException {
    return ProcessFigures.of(process.toHandle());
  }

  /** The processor time it has used so far, without its Helm processes. */
  Duration cpu() {
    return process.toHandle().info().totalCpuDuration().orElseThrow();
  }

  /** The sum of all series of a metric. */
  double metric(String name) throws InterruptedException {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  void awaitEngaged(int clusters) throws InterruptedException {
    await(
        clusters + " clusters engaged",
        () -> page("/status").split("\"Engaged\"", -1).length - 1 == clusters);
  }

  /** Waits for so many Tenants in all to be ready. */
  void awaitReady(int tenants) throws InterruptedException {
    var ready = Pattern.compile("\"ready\":(\\d+)");
    await(
        tenants + " tenants ready",
        () ->
            ready
                    .matcher(page("/status"))
                    .results()
                    .mapToInt(found -> Integer.parseInt(found.group(1)))
                    .sum()
                == tenants);
  }

  /** What is waited for. */
  interface Condition {
    boolean holds() throws InterruptedException;
  }

  static void await(String what, Condition condition) throws InterruptedException {
    var deadline = System.nanoTime() + Duration.ofMinutes(10).toNanos();
    while (!condition.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("not within ten minutes: " + what);
      }
      Thread.sleep(POLL);
    }
  }

  /** Empty while the operator does not answer. */
  private String page(String path) throws InterruptedException {
    try {
      var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
      return http.send(HttpRequest.newBuilder(uri).build(), HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    http.close();
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.harness;

import io.krypton.bench.harness.ProcessStats.CpuTime;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
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
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The operator as it ships, and what it tells about itself. */
public final class BenchOperator implements AutoCloseable {
  public static final String REQUESTS = "krypton_api_requests_total";

  /** Helm operations, of which one makes or changes a release. */
  public static final String HELM_OPERATIONS = "krypton_helm_operations_total";

  private static final String WORKER = "/krypton-helm";

  private static final Pattern READY = Pattern.compile("\"ready\":(\\d+)");
  private static final Duration POLL_INTERVAL = Duration.ofSeconds(2);

  /** One that stands still does not answer. */
  private static final Duration PATIENCE = Duration.ofSeconds(10);

  /** Requests between two looks: some for the Lease and for signs of life, none for work. */
  private static final int QUIET = 8;

  private final Process process;
  private final int port;
  private final HttpClient http = HttpClient.newHttpClient();

  private BenchOperator(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  public static BenchOperator start(
      Path distribution, Path directory, BenchHomeCluster home, String... flags)
      throws IOException {
    return start(distribution, directory, home.plane().adminKubeconfig(), Map.of(), flags);
  }

  /**
   * With a way of its own to home.
   *
   * @param environment variables that it gets besides those of this process
   */
  public static BenchOperator start(
      Path distribution,
      Path directory,
      String homeKubeconfig,
      Map<String, String> environment,
      String... flags)
      throws IOException {
    var kubeconfig = Files.writeString(directory.resolve("home.kubeconfig"), homeKubeconfig);
    var port = LocalPort.free();
    var command =
        new ArrayList<>(
            List.of(
                distribution.resolve("bin/krypton").toString(),
                "operator",
                "--kubeconfig=" + kubeconfig,
                "--namespace=" + BenchHomeCluster.NAMESPACE,
                "--self-cluster=never",
                "--helm-binary=" + Assets.fromEnvironment().find(Binary.HELM),
                "--data-dir=" + directory.resolve("data"),
                "--metrics-bind-address=127.0.0.1:" + port,
                "--metrics-auth=none",
                "--metrics-secure=false",
                "--health-probe-bind-address=0"));
    command.addAll(List.of(flags));
    var log = ProcessBuilder.Redirect.appendTo(log(directory).toFile());
    var builder = new ProcessBuilder(command).redirectOutput(log).redirectError(log);
    builder.environment().putAll(environment);
    return new BenchOperator(builder.start(), port);
  }

  /** Where all operators of this directory write to. */
  public static Path log(Path directory) {
    return directory.resolve("operator.log");
  }

  public Process process() {
    return process;
  }

  public ProcessStats figures() throws IOException {
    return ProcessStats.of(process.toHandle());
  }

  /** Its own processor time, and that of its Helm worker: of all it had, and of the one it has. */
  public CpuTime cpu() throws IOException {
    return CpuTime.ofTree(process.toHandle());
  }

  /** The process that runs Helm for it. */
  public ProcessHandle worker() {
    return process
        .children()
        .filter(it -> it.info().command().orElse("").endsWith(WORKER))
        .findFirst()
        .orElseThrow(() -> new IllegalStateException("the operator has no Helm worker"));
  }

  /** The sum of all series of a metric that have these labels, as Prometheus writes them. */
  public double metric(String name, String... labels) throws InterruptedException {
    return series().entrySet().stream()
        .filter(it -> it.getKey().equals(name) || it.getKey().startsWith(name + "{"))
        .filter(it -> List.of(labels).stream().allMatch(it.getKey()::contains))
        .mapToDouble(Map.Entry::getValue)
        .sum();
  }

  /** All series by their name and labels; empty while it does not answer. */
  public Map<String, Double> series() throws InterruptedException {
    return page("/metrics")
        .lines()
        .filter(line -> line.startsWith("krypton_"))
        .collect(
            Collectors.toMap(
                line -> line.substring(0, line.lastIndexOf(' ')),
                line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)),
                Double::sum));
  }

  public boolean isLeading() throws InterruptedException {
    return page("/status").contains("\"leader\":true");
  }

  public void awaitLeading() throws Exception {
    Polling.until("the operator leads", this::isLeading);
  }

  public void awaitEngaged(int clusters) throws Exception {
    Polling.until(clusters + " clusters engaged", () -> engaged() == clusters);
  }

  public int engaged() throws InterruptedException {
    return page("/status").split("\"Engaged\"", -1).length - 1;
  }

  /** Waits for so many Tenants or KryptonDeployments in all to be ready. */
  public void awaitReady(int objects) throws Exception {
    Polling.until(objects + " ready", () -> ready() == objects);
  }

  /** Waits until it sends no more than what keeps a Lease. */
  public void awaitQuiet() throws InterruptedException {
    var before = 0.0;
    var now = metric(REQUESTS);
    while (now - before > QUIET) {
      before = now;
      Thread.sleep(POLL_INTERVAL);
      now = metric(REQUESTS);
    }
  }

  private int ready() throws InterruptedException {
    return READY
        .matcher(page("/status"))
        .results()
        .mapToInt(found -> Integer.parseInt(found.group(1)))
        .sum();
  }

  /** Empty while the operator does not answer. */
  private String page(String path) throws InterruptedException {
    if (!process.isAlive()) {
      throw new IllegalStateException("the operator has ended with " + process.exitValue());
    }
    try {
      var uri = URI.create("http://127.0.0.1:%d%s".formatted(port, path));
      return http.send(
              HttpRequest.newBuilder(uri).timeout(PATIENCE).build(),
              HttpResponse.BodyHandlers.ofString())
          .body();
    } catch (IOException notYet) {
      return "";
    }
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
    http.close();
  }

  /** A port of this machine that nobody used a moment ago. */
  public static final class LocalPort {
    private LocalPort() {}

    public static int free() throws IOException {
      try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
        return socket.getLocalPort();
      }
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.process.ReservedPort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A running {@code krypton operator}, started as a user would. */
final class Operator implements AutoCloseable {
  /** Five seconds are the promise; a busy machine adds to them, and what hangs takes minutes. */
  static final Duration ENDS_WITHIN = Duration.ofSeconds(30);

  private final Process process;
  private final Path log;
  private final ReservedPort metricsPort;
  private final ReservedPort healthPort;
  private final HttpClient http = HttpClient.newHttpClient();

  private Operator(Process process, Path log, ReservedPort metricsPort, ReservedPort healthPort) {
    this.process = process;
    this.log = log;
    this.metricsPort = metricsPort;
    this.healthPort = healthPort;
  }

  /** Starts it with the host cluster of this kubeconfig; the directory holds all of its files. */
  static Operator start(Path directory, String kubeconfig, String... flags) throws IOException {
    return start(directory, kubeconfig, List.of(), flags);
  }

  /** The same by another program, which gets the command as its last arguments. */
  static Operator start(Path directory, String kubeconfig, List<String> launcher, String... flags)
      throws IOException {
    var home = Files.writeString(directory.resolve("home.kubeconfig"), kubeconfig);
    var metricsPort = ReservedPort.any();
    var healthPort = ReservedPort.any();
    var command =
        new ArrayList<>(
            List.of(
                Shell.KRYPTON.toString(),
                "operator",
                "--kubeconfig=" + home,
                "--metrics-bind-address=127.0.0.1:" + metricsPort.number(),
                "--metrics-auth=none",
                "--metrics-secure=false",
                "--health-probe-bind-address=127.0.0.1:" + healthPort.number()));
    command.addAll(0, launcher);
    command.addAll(List.of(flags));
    if (Stream.of(flags).noneMatch(flag -> flag.startsWith("--helm-binary="))) {
      command.add("--helm-binary=" + Assets.fromEnvironment().find(Binary.HELM));
    } else {
      command.add("--helm-engine=cli"); // A test that brings its own Helm is about that.
    }
    var log = directory.resolve("operator-%d.log".formatted(metricsPort.number()));
    var process =
        new Shell(directory).without("KUBECONFIG").start(log, log, command.toArray(String[]::new));
    return new Operator(process, log, metricsPort, healthPort);
  }

  ProcessHandle handle() {
    return process.toHandle();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  String log() throws IOException {
    return Files.readString(log);
  }

  HttpResponse<String> metrics(String path) throws IOException, InterruptedException {
    return get(metricsPort, path);
  }

  /** The sum of a metric's series whose labels contain all of these texts. */
  double metric(String name, String... labels) throws IOException, InterruptedException {
    return metrics("/metrics")
        .body()
        .lines()
        .filter(line -> line.startsWith(name + "{") || line.startsWith(name + " "))
        .filter(line -> Stream.of(labels).allMatch(line::contains))
        .mapToDouble(line -> Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  boolean hasEngaged(String cluster) throws IOException, InterruptedException {
    return metric("krypton_cluster_up", "cluster=\"" + cluster + "\"") == 1;
  }

  HttpResponse<String> probe(String path) throws IOException, InterruptedException {
    return get(healthPort, path);
  }

  private HttpResponse<String> get(ReservedPort port, String path)
      throws IOException, InterruptedException {
    var uri = URI.create("http://127.0.0.1:%d%s".formatted(port.number(), path));
    return http.send(
        HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(5)).build(),
        HttpResponse.BodyHandlers.ofString());
  }

  /** Sends SIGTERM and tells the exit code and how long the end took. */
  Ending terminate() throws InterruptedException {
    var begun = System.nanoTime();
    process.destroy();
    if (!process.waitFor(2 * ENDS_WITHIN.toSeconds(), TimeUnit.SECONDS)) {
      throw new AssertionError("the operator ignores SIGTERM");
    }
    return new Ending(process.exitValue(), Duration.ofNanos(System.nanoTime() - begun));
  }

  record Ending(int exit, Duration took) {}

  void kill() throws InterruptedException {
    process.destroyForcibly().waitFor();
  }

  /** Sends a signal by its name, as kill does. */
  void signal(String name) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  @Override
  public void close() {
    process.descendants().forEach(ProcessHandle::destroyForcibly);
    process.destroyForcibly();
    http.close();
    metricsPort.close();
    healthPort.close();
  }
}

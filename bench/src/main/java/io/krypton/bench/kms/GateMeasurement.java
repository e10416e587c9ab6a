// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.harness.BenchOperator.LocalPort;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.ProcessStats;
import io.krypton.bench.measure.Distribution;
import io.krypton.bench.measure.Figure;
import io.krypton.bench.measure.Figure.Better;
import io.krypton.bench.measure.Measurement;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.bench.measure.Measurement.Parameters;
import io.krypton.bench.measure.MeasurementRecorder;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;

/** How long the gate holds an API server back for nothing, and what its health page can take. */
public final class GateMeasurement implements Measurement {
  private static final int CONNECTIONS = 4;
  private static final int WARM_UP = 500;
  private static final int ASKED = 2000;

  @Override
  public String name() {
    return "gate";
  }

  @Override
  public Parameters full() {
    return Parameters.of("starts=7", "seconds=10");
  }

  @Override
  public Optional<Parameters> quick() {
    return Optional.empty();
  }

  @Override
  public Duration expected(Parameters parameters) {
    return Duration.ofSeconds(8 + 3L * parameters.number("starts") + parameters.number("seconds"));
  }

  @Override
  public void run(
      BenchEnvironment benchEnvironment,
      Parameters parameters,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var config = configuration(benchEnvironment.scratch());
    var starts = parameters.number("starts");
    var late = new ArrayList<Duration>();
    for (var i = 0; i < starts; i++) {
      late.add(comesLate(benchEnvironment, config));
    }
    try (var _ = DevPlugins.startInProcess(benchEnvironment.scratch(), 1)) {
      var waits = new ArrayList<Duration>();
      for (var i = 0; i < starts; i++) {
        var gate = start(benchEnvironment, config, "wait");
        waits.add(Polling.timed("the gate opens", () -> !gate.isAlive()));
        orThrow(gate);
      }
      record(measurementRecorder, "wait", "gate wait with a healthy plugin, start to end", waits);
      record(
          measurementRecorder, "late", "plugin's socket appears, until gate wait has ended", late);
      served(benchEnvironment, config, parameters.number("seconds"), measurementRecorder);
    }
  }

  /** The plugin starts a second after the gate. */
  private static Duration comesLate(BenchEnvironment benchEnvironment, Path config)
      throws Exception {
    var gate = start(benchEnvironment, config, "wait");
    Thread.sleep(Duration.ofMillis(1500));
    try (var _ = DevPlugins.startInProcess(benchEnvironment.scratch(), 1)) {
      var took = Polling.timed("the gate opens", () -> !gate.isAlive());
      orThrow(gate);
      return took;
    }
  }

  private static void orThrow(Process gate) {
    if (gate.exitValue() != 0) {
      throw new IllegalStateException("the gate ended with " + gate.exitValue());
    }
  }

  private static void record(
      MeasurementRecorder measurementRecorder, String which, String what, List<Duration> times) {
    var all = Distribution.ofMillis(times);
    measurementRecorder.add(
        Figure.of(
            "gate/%s-median".formatted(which),
            "%s: median of %d".formatted(what, times.size()),
            all.median(),
            "ms",
            Better.LOWER));
  }

  private static void served(
      BenchEnvironment benchEnvironment,
      Path config,
      int seconds,
      MeasurementRecorder measurementRecorder)
      throws Exception {
    var port = LocalPort.free();
    var gate = start(benchEnvironment, config, "serve", "--listen=127.0.0.1:" + port);
    try (var http = HttpClient.newHttpClient()) {
      var request =
          HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/readyz".formatted(port))).build();
      Polling.until("the gate is ready", () -> isOk(http, request));
      ask(http, request, WARM_UP);
      var latency = Distribution.ofMillis(ask(http, request, ASKED));
      measurementRecorder.add(
          Figure.of(
              "gate/latency-median", "GET /readyz: median", latency.median(), "ms", Better.LOWER));
      measurementRecorder.add(
          Figure.of(
              "gate/latency-p99", "GET /readyz: p99", latency.quantile(0.99), "ms", Better.LOWER));
      measurementRecorder.add(
          Figure.of(
              "gate/per-second",
              "GET /readyz over %d connections".formatted(CONNECTIONS),
              throughput(request, seconds),
              "/s",
              Better.HIGHER));
      measurementRecorder.add(
          Figure.of(
              "gate/resident",
              "gate's memory after that",
              ProcessStats.of(gate.toHandle()).residentMib(),
              "MiB",
              Better.LOWER));
    } finally {
      gate.destroy();
      gate.onExit().join();
    }
  }

  private static List<Duration> ask(HttpClient http, HttpRequest request, int times)
      throws Exception {
    var answers = new ArrayList<Duration>();
    for (var i = 0; i < times; i++) {
      var begun = System.nanoTime();
      if (!isOk(http, request)) {
        throw new IllegalStateException("the gate is not ready any more");
      }
      answers.add(Duration.ofNanos(System.nanoTime() - begun));
    }
    return answers;
  }

  /** One client, and so one connection, for each thread. */
  private static double throughput(HttpRequest request, int seconds) throws Exception {
    var end = System.nanoTime() + Duration.ofSeconds(seconds).toNanos();
    var tasks = new ArrayList<Callable<Integer>>();
    for (var i = 0; i < CONNECTIONS; i++) {
      tasks.add(
          () -> {
            var answered = 0;
            try (var http = HttpClient.newHttpClient()) {
              while (System.nanoTime() < end) {
                answered += ask(http, request, 1).size();
              }
            }
            return answered;
          });
    }
    var all = 0;
    try (var threads = Executors.newFixedThreadPool(CONNECTIONS)) {
      for (var answered : threads.invokeAll(tasks)) {
        all += answered.get();
      }
    }
    return all / (double) seconds;
  }

  private static boolean isOk(HttpClient http, HttpRequest request) throws Exception {
    try {
      return http.send(request, BodyHandlers.ofString()).statusCode() == 200;
    } catch (IOException notYet) {
      return false;
    }
  }

  private static Process start(
      BenchEnvironment benchEnvironment, Path config, String mode, String... more)
      throws IOException {
    var command =
        new ArrayList<>(
            List.of(
                benchEnvironment.distribution().resolve("bin/krypton").toString(),
                "gate",
                mode,
                "--encryption-provider-config=" + config,
                "--termination-log=" + benchEnvironment.scratch().resolve("termination.json")));
    command.addAll(List.of(more));
    var log =
        ProcessBuilder.Redirect.appendTo(benchEnvironment.scratch().resolve("gate.log").toFile());
    return new ProcessBuilder(command).redirectOutput(log).redirectError(log).start();
  }

  private static Path configuration(Path directory) throws IOException {
    return Files.writeString(
        directory.resolve("encryption.yaml"),
        """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms: {apiVersion: v2, name: bench, endpoint: "unix://%s"}
          - identity: {}
        """
            .formatted(DevPlugins.socket(directory, 1)));
  }
}

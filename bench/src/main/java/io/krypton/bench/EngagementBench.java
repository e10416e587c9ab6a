package io.krypton.bench;

import io.krypton.sandbox.ControlPlane;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;
import java.util.Locale;

/**
 * How long it takes to engage many clusters, and what each costs: the operator as it ships, and as
 * many kubeconfig Secrets as asked for, all of which lead to one API server.
 */
final class EngagementBench {
  private static final Duration LIMIT = Duration.ofMinutes(3);
  private static final Duration POLL = Duration.ofMillis(50);

  private final Path distribution;
  private final HttpClient http = HttpClient.newHttpClient();

  EngagementBench(Path distribution) {
    this.distribution = distribution;
  }

  String run(int clusters) throws Exception {
    var directory = Files.createTempDirectory("krypton-bench");
    try (var plane = ControlPlane.builder("bench").start()) {
      plane.admin().post("/api/v1/namespaces", "{\"metadata\":{\"name\":\"bench\"}}").orThrow();
      var port = freePort();
      var operator = start(directory, plane, port);
      try {
        awaitEngaged(port, 0);
        var before = ProcessFigures.of(operator.toHandle());
        var begun = System.nanoTime();
        for (var i = 0; i < clusters; i++) {
          register(plane, "cluster-" + i);
        }
        awaitEngaged(port, clusters);
        var took = Duration.ofNanos(System.nanoTime() - begun);
        var after = ProcessFigures.of(operator.toHandle());
        return row(clusters, took, before, after);
      } finally {
        operator.destroy();
        operator.waitFor();
      }
    }
  }

  private static String row(
      int clusters, Duration took, ProcessFigures before, ProcessFigures after) {
    return String.format(
        Locale.ROOT,
        "engage %d clusters: %.1f s, %.2f threads and %.2f MiB resident each (from %d threads, %d MiB)",
        clusters,
        took.toMillis() / 1000.0,
        (after.threads() - before.threads()) / (double) clusters,
        (after.residentKib() - before.residentKib()) / 1024.0 / clusters,
        before.threads(),
        before.residentKib() / 1024);
  }

  private Process start(Path directory, ControlPlane plane, int port) throws IOException {
    var kubeconfig =
        Files.writeString(directory.resolve("home.kubeconfig"), plane.adminKubeconfig());
    var log = directory.resolve("operator.log").toFile();
    return new ProcessBuilder(
            distribution.resolve("bin/krypton").toString(),
            "operator",
            "--kubeconfig=" + kubeconfig,
            "--namespace=bench",
            "--self-cluster=never",
            "--data-dir=" + directory.resolve("data"),
            "--metrics-bind-address=127.0.0.1:" + port,
            "--metrics-auth=none",
            "--metrics-secure=false",
            "--health-probe-bind-address=0")
        .redirectOutput(log)
        .redirectError(log)
        .start();
  }

  private static void register(ControlPlane plane, String name) {
    var kubeconfig =
        Base64.getEncoder()
            .encodeToString(plane.adminKubeconfig().getBytes(StandardCharsets.UTF_8));
    plane
        .admin()
        .post(
            "/api/v1/namespaces/bench/secrets",
            """
            {"metadata":{"name":"%s","labels":{"sigs.k8s.io/multicluster-runtime-kubeconfig":"true"}},
             "data":{"kubeconfig":"%s"}}
            """
                .formatted(name, kubeconfig))
        .orThrow();
  }

  private void awaitEngaged(int port, int wanted) throws InterruptedException {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    while (engaged(port) != wanted) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException(
            "not %d clusters engaged within %s".formatted(wanted, LIMIT));
      }
      Thread.sleep(POLL);
    }
  }

  /** -1 while the operator does not answer or does not lead yet. */
  private int engaged(int port) throws InterruptedException {
    try {
      var status =
          http.send(
                  HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/status".formatted(port)))
                      .build(),
                  HttpResponse.BodyHandlers.ofString())
              .body();
      return status.contains("\"leader\":true") ? status.split("\"Engaged\"", -1).length - 1 : -1;
    } catch (IOException notYet) {
      return -1;
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

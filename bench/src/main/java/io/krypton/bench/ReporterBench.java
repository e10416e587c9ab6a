package io.krypton.bench;

import io.krypton.kms.protocol.Endpoint;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
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
import java.time.Instant;
import java.util.Arrays;
import java.util.Locale;
import java.util.function.Consumer;
import java.util.function.Predicate;

/**
 * What the reporter costs on a node: the distribution as it ships, two plugins, a real API server,
 * all settings at their defaults. With the cache of classes and without.
 */
final class ReporterBench {
  private static final Duration LIMIT = Duration.ofMinutes(1);
  private static final Duration SETTLED = Duration.ofSeconds(75);
  private static final Duration WATCHED = Duration.ofMinutes(2);
  private static final int STARTS = 5;
  private static final String OBJECT = "/apis/mesh.openkcm.io/v1alpha1/kmshealths/cluster";
  private static final String NAMESPACE = "/api/v1/namespaces/krypton-system";

  private final Path distribution;
  private final HttpClient http = HttpClient.newHttpClient();

  ReporterBench(Path distribution) {
    this.distribution = distribution;
  }

  void run(Consumer<String> print) throws Exception {
    var directory = Files.createTempDirectory("krypton-bench");
    try (var plane = ControlPlane.builder("bench").withoutControllerManager().start();
        var _ = plugin(directory, 1);
        var _ = plugin(directory, 2)) {
      prepare(plane);
      Files.writeString(directory.resolve("kubeconfig"), plane.adminKubeconfig());
      print.accept(row(directory, "with cache", ""));
      print.accept(row(directory, "without cache", "-XX:AOTMode=off"));
    }
  }

  private static PluginServer plugin(Path directory, int number) throws IOException {
    return PluginServer.start(
        PluginServer.Settings.of(
            Endpoint.ofAddress(directory.resolve(number + ".sock").toString()),
            new KeyFile(directory.resolve(number + ".keys"))));
  }

  private static void prepare(ControlPlane plane) throws IOException, InterruptedException {
    var admin = plane.admin();
    admin
        .apply(
            "/apis/apiextensions.k8s.io/v1/customresourcedefinitions/kmshealths.mesh.openkcm.io",
            "bench",
            Files.readString(
                Path.of("charts/krypton-operator/files/crds/kmshealths.mesh.openkcm.io.yaml")))
        .orThrow();
    admin
        .apply(
            NAMESPACE,
            "bench",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"krypton-system\"}}")
        .orThrow();
    var object =
        "{\"apiVersion\":\"mesh.openkcm.io/v1alpha1\",\"kind\":\"KmsHealth\","
            + "\"metadata\":{\"name\":\"cluster\"},\"spec\":{}}";
    await("the type to be served", () -> admin.apply(OBJECT, "bench", object).ok());
  }

  private String row(Path directory, String name, String options) throws Exception {
    var starts = new long[STARTS];
    for (int i = 0; i < STARTS - 1; i++) {
      try (var reporter = new Running(directory, options)) {
        starts[i] = reporter.toFirstProbe().toMillis();
      }
    }
    try (var reporter = new Running(directory, options)) {
      starts[STARTS - 1] = reporter.toFirstProbe().toMillis();
      Thread.sleep(SETTLED);
      var cpu = reporter.cpu();
      Thread.sleep(WATCHED);
      var perHour =
          (double) reporter.cpu().minus(cpu).toMillis() / 1e3 * 3600 / WATCHED.toSeconds();
      var figures = ProcessFigures.of(reporter.process.toHandle());
      Arrays.sort(starts);
      return String.format(
          Locale.ROOT,
          "reporter %s: first probe after %d ms (median of %d starts, worst %d), %d MB resident,"
              + " %d threads, %.1f CPU seconds per hour",
          name,
          starts[STARTS / 2],
          STARTS,
          starts[STARTS - 1],
          figures.residentKib() / 1000,
          figures.threads(),
          perHour);
    }
  }

  /** A reporter that has published once. */
  private final class Running implements AutoCloseable {
    private final Process process;
    private final String health;

    Running(Path directory, String options) throws IOException, InterruptedException {
      var port = freePort();
      var log = directory.resolve("reporter.log").toFile();
      var builder =
          new ProcessBuilder(
                  distribution.resolve("bin/krypton").toString(),
                  "reporter",
                  "--kms-sockets=1=unix://%s/1.sock,2=unix://%s/2.sock"
                      .formatted(directory, directory),
                  "--node-name=bench",
                  "--kubeconfig=" + directory.resolve("kubeconfig"),
                  "--listen=127.0.0.1:" + port)
              .redirectOutput(log)
              .redirectError(log);
      builder.environment().put("KRYPTON_JAVA_OPTS", options);
      process = builder.start();
      health = page(port, text -> text.contains(" ago"));
    }

    /** The history begins with the first judgement, which carries the time of its probe. */
    Duration toFirstProbe() {
      var first =
          health
              .lines()
              .filter(line -> line.matches("\\S+Z keyID .*"))
              .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
              .min(Instant::compareTo)
              .orElseThrow();
      return Duration.between(process.info().startInstant().orElseThrow(), first);
    }

    Duration cpu() {
      return process.info().totalCpuDuration().orElseThrow();
    }

    @Override
    public void close() {
      process.destroy();
      process.onExit().join();
    }
  }

  private String page(int port, Predicate<String> wanted) throws InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/healthz".formatted(port))).build();
    var last = new StringBuilder();
    await(
        "a report",
        () -> {
          try {
            last.setLength(0);
            last.append(http.send(request, BodyHandlers.ofString()).body());
          } catch (IOException notYet) {
            return false;
          }
          return wanted.test(last.toString());
        });
    return last.toString();
  }

  private interface Check {
    boolean holds() throws InterruptedException;
  }

  private static void await(String what, Check check) throws InterruptedException {
    var deadline = System.nanoTime() + LIMIT.toNanos();
    while (!check.holds()) {
      if (System.nanoTime() > deadline) {
        throw new IllegalStateException("waited in vain for " + what);
      }
      Thread.sleep(Duration.ofMillis(50));
    }
  }

  private static int freePort() throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    }
  }
}

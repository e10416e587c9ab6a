// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.harness.BenchOperator.LocalPort;
import io.krypton.bench.harness.Polling;
import io.krypton.bench.harness.ProcessStats;
import io.krypton.bench.harness.ProcessStats.CpuTime;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;

/** A reporter as it ships, with its defaults, that has published once. */
final class BenchReporter implements AutoCloseable {
  private final Process process;
  private final Instant started;
  private final String firstHealth;

  private BenchReporter(Process process, Instant started, String firstHealth) {
    this.process = process;
    this.started = started;
    this.firstHealth = firstHealth;
  }

  /**
   * @param jvmOptions more of them, or nothing
   * @param sockets as the flag takes them
   */
  static BenchReporter start(
      Path distribution, Path directory, String node, String jvmOptions, String sockets)
      throws Exception {
    var port = LocalPort.free();
    var log = directory.resolve(node + ".log").toFile();
    var builder =
        new ProcessBuilder(
                distribution.resolve("bin/krypton").toString(),
                "reporter",
                "--kms-sockets=" + sockets,
                "--node-name=" + node,
                "--kubeconfig=" + directory.resolve("kubeconfig"),
                "--listen=127.0.0.1:" + port)
            .redirectOutput(log)
            .redirectError(log);
    builder.environment().put("KRYPTON_JAVA_OPTS", jvmOptions);
    // Not the start that the system tells: it counts from a boot time that is cut to whole seconds.
    var started = Instant.now();
    return new BenchReporter(builder.start(), started, published(port));
  }

  private static String published(int port) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create("http://127.0.0.1:%d/healthz".formatted(port))).build();
    var page = new StringBuilder();
    try (var http = HttpClient.newHttpClient()) {
      Polling.until(
          "a first report",
          () -> {
            page.setLength(0);
            try {
              page.append(http.send(request, BodyHandlers.ofString()).body());
            } catch (IOException notYet) {
              return false;
            }
            return page.indexOf(" ago") >= 0;
          });
    }
    return page.toString();
  }

  /** The history begins with the first judgement, which carries the time of its probe. */
  Duration toFirstProbe() {
    var first =
        firstHealth
            .lines()
            .filter(line -> line.matches("\\S+Z keyID .*"))
            .map(line -> Instant.parse(line.substring(0, line.indexOf(' '))))
            .min(Instant::compareTo)
            .orElseThrow();
    return Duration.between(started, first);
  }

  double cpu() throws IOException {
    return CpuTime.of(process.pid()).own();
  }

  ProcessStats figures() throws IOException {
    return ProcessStats.of(process.toHandle());
  }

  @Override
  public void close() {
    process.destroy();
    process.onExit().join();
  }
}

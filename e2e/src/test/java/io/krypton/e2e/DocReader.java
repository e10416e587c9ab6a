// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;

/**
 * Types what the pages say, in a directory that looks like a clone in which {@code make build} has
 * been run. The shell's {@code PATH} and {@code KUBECONFIG} are those of getting-started.md.
 */
final class DocReader implements AutoCloseable {
  private static final List<String> PARTS =
      List.of("dist", "charts", "examples", "tools", "Makefile");
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration PAUSE = Duration.ofMillis(500);
  private static final Duration GRACE = Duration.ofSeconds(10);

  private final Path clone;
  private final Map<String, String> standIns = new LinkedHashMap<>();
  private final Map<String, String> environment = new LinkedHashMap<>();
  private final List<Process> running = new ArrayList<>();

  /**
   * Starts to read.
   *
   * @param charts stands for the public repository, so that no network is needed
   */
  DocReader(Path clone, String charts) throws IOException {
    this.clone = clone;
    for (var part : PARTS) {
      Files.createSymbolicLink(clone.resolve(part), Shell.ROOT.resolve(part));
    }
    var kms = Files.createDirectory(clone.resolve("kms"));
    standIns.put("https://ealenn.github.io/charts", charts);
    standIns.put("/etc/kubernetes/enc/config.yaml", clone.resolve("enc.yaml").toString());
    standIns.put("/tmp/kms", kms.toString());
    // Several runs on one machine must not meet at the default ports.
    listen("127.0.0.1:8080", "KRYPTON_METRICS_BIND_ADDRESS");
    listen("127.0.0.1:9810", "KRYPTON_GATE_LISTEN");
    listen("127.0.0.1:9811", "KRYPTON_LISTEN");
    environment.put("KRYPTON_HEALTH_PROBE_BIND_ADDRESS", "127.0.0.1:0");
    environment.put("KRYPTON_METRICS_AUTH", "none");
    environment.put("KRYPTON_METRICS_SECURE", "false");
    environment.put("KRYPTON_DATA_DIR", clone.resolve("data").toString());
    environment.put("XDG_STATE_HOME", clone.resolve("state").toString());
    environment.put("KUBECONFIG", clone.resolve("home.kubeconfig").toString());
    environment.put("PATH", path());
  }

  private void listen(String address, String variable) throws IOException {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      var free = "127.0.0.1:" + socket.getLocalPort();
      standIns.put(address, free);
      environment.put(variable, free);
    }
  }

  private String path() {
    var assets = Assets.fromEnvironment();
    return String.join(
        ":",
        clone.resolve("dist/bin").toString(),
        assets.find(Binary.KUBECTL).resolveSibling("").toString(),
        assets.find(Binary.HELM).resolveSibling("").toString(),
        System.getenv("PATH"));
  }

  /** Runs a block as its words say; fails with what it printed. */
  void follow(DocBlock block) throws IOException, InterruptedException {
    if (block.is("background")) {
      start(block);
      return;
    }
    if (block.is("eventually")) {
      await().pollInterval(PAUSE).atMost(PATIENCE).untilAsserted(() -> runWell(block));
    } else {
      runWell(block);
    }
  }

  private void runWell(DocBlock block) throws IOException, InterruptedException {
    var result = run(block);
    assertThat(result.exit())
        .as(
            "%s%n%s%n%s%n%s%n%s",
            block.where(), block.text(), result.out(), result.err(), backgroundLogs())
        .isZero();
  }

  /** Puts a file where a block expects it. */
  void provide(String path, DocBlock content) throws IOException {
    Files.writeString(Path.of(Objects.requireNonNull(standIns.get(path))), translated(content));
  }

  private Shell.Result run(DocBlock block) throws IOException, InterruptedException {
    return shell().run(LIMIT, "bash", "-euo", "pipefail", "-c", translated(block));
  }

  /** A block of one command, which a reader leaves running in another terminal. */
  private void start(DocBlock block) throws IOException {
    var log = Files.createTempFile(clone, "background-", ".log");
    running.add(
        shell().start(log, log, "bash", "-euo", "pipefail", "-c", "exec " + translated(block)));
  }

  private Shell shell() {
    // The tests may themselves run under make, which would tell an inner one that it is a child.
    var shell = new Shell(clone).without("MAKEFLAGS").without("MAKELEVEL");
    environment.forEach(shell::with);
    return shell;
  }

  private String translated(DocBlock block) {
    var text = block.text();
    for (var standIn : standIns.entrySet()) {
      text = text.replace(standIn.getKey(), standIn.getValue());
    }
    return text;
  }

  private String backgroundLogs() throws IOException {
    var logs = new StringBuilder();
    try (var files = Files.newDirectoryStream(clone, "background-*.log")) {
      for (var file : files) {
        logs.append(Files.readString(file)).append('\n');
      }
    }
    return logs.toString();
  }

  /** Presses Ctrl-C in all the other terminals. */
  @Override
  public void close() throws IOException {
    running.forEach(Process::destroy);
    try {
      for (var process : running) {
        process.waitFor(GRACE.toMillis(), TimeUnit.MILLISECONDS);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    running.forEach(Process::destroyForcibly);
    for (var part : PARTS) {
      Files.delete(clone.resolve(part));
    }
  }
}

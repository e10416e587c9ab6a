// SPDX-License-Identifier: Apache-2.0
package io.krypton.bench.kms;

import io.krypton.bench.harness.Polling;
import io.krypton.bench.measure.Measurement.BenchEnvironment;
import io.krypton.kms.rpc.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Development plugins: in this process where they shall only answer, in their own to be killed. */
final class DevPlugins {
  private DevPlugins() {}

  static PluginServer startInProcess(Path directory, int number) throws IOException {
    return PluginServer.start(
        PluginServer.Settings.of(
            Endpoint.ofAddress(socket(directory, number).toString()),
            new KeyFile(keys(directory, number))));
  }

  static Process startProcess(Path distribution, Path directory, int number) throws IOException {
    var log = ProcessBuilder.Redirect.appendTo(directory.resolve("plugin.log").toFile());
    return new ProcessBuilder(
            distribution.resolve("bin/krypton").toString(),
            "plugin",
            "serve",
            "--socket=unix://" + socket(directory, number),
            "--key-file=" + keys(directory, number))
        .redirectOutput(log)
        .redirectError(log)
        .start();
  }

  static Path socket(Path directory, int number) {
    return directory.resolve(number + ".sock");
  }

  /** For the flag of a reporter. */
  static String flagValue(Path directory, int number) {
    return "%d=unix://%s".formatted(number, socket(directory, number));
  }

  private static Path keys(Path directory, int number) {
    return directory.resolve(number + ".keys");
  }

  /** Plugins in processes of their own, to be killed and started again. */
  static final class KillablePlugins implements AutoCloseable {
    private final BenchEnvironment benchEnvironment;
    private final Map<Integer, Process> running = new TreeMap<>();

    private KillablePlugins(BenchEnvironment benchEnvironment) {
      this.benchEnvironment = benchEnvironment;
    }

    static KillablePlugins start(BenchEnvironment benchEnvironment, int count) throws Exception {
      var killablePlugins = new KillablePlugins(benchEnvironment);
      try {
        for (var number = 1; number <= count; number++) {
          killablePlugins.start(number);
        }
        for (var number = 1; number <= count; number++) {
          killablePlugins.awaitSocket(number);
        }
      } catch (Exception e) {
        killablePlugins.close();
        throw e;
      }
      return killablePlugins;
    }

    /** For the flag of a reporter. */
    String sockets() {
      return running.keySet().stream()
          .map(number -> DevPlugins.flagValue(benchEnvironment.scratch(), number))
          .collect(Collectors.joining(","));
    }

    void kill(int number) {
      process(number).destroyForcibly();
    }

    /** Starts a killed one again; returns when its socket is there. */
    void restart(int number) throws Exception {
      process(number).onExit().join();
      // Whoever was killed left it behind; the next one shall be measured from its own.
      Files.deleteIfExists(DevPlugins.socket(benchEnvironment.scratch(), number));
      start(number);
      awaitSocket(number);
    }

    private void start(int number) throws IOException {
      running.put(
          number,
          DevPlugins.startProcess(
              benchEnvironment.distribution(), benchEnvironment.scratch(), number));
    }

    private void awaitSocket(int number) throws Exception {
      Polling.timed(
          "the socket", () -> Files.exists(DevPlugins.socket(benchEnvironment.scratch(), number)));
    }

    private Process process(int number) {
      var process = running.get(number);
      if (process == null) {
        throw new IllegalArgumentException("no plugin " + number);
      }
      return process;
    }

    @Override
    public void close() {
      running.values().forEach(process -> process.destroyForcibly().onExit().join());
    }
  }
}

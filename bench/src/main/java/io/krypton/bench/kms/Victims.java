package io.krypton.bench.kms;

import io.krypton.bench.lab.Waiting;
import io.krypton.bench.measure.Bench;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** Plugins in processes of their own, to be killed and started again. */
final class Victims implements AutoCloseable {
  private final Bench bench;
  private final Map<Integer, Process> living = new TreeMap<>();

  private Victims(Bench bench) {
    this.bench = bench;
  }

  static Victims start(Bench bench, int count) throws Exception {
    var victims = new Victims(bench);
    try {
      for (var number = 1; number <= count; number++) {
        victims.start(number);
      }
      for (var number = 1; number <= count; number++) {
        victims.awaitSocket(number);
      }
    } catch (Exception e) {
      victims.close();
      throw e;
    }
    return victims;
  }

  /** For the flag of a reporter. */
  String sockets() {
    return living.keySet().stream()
        .map(number -> Plugins.named(bench.scratch(), number))
        .collect(Collectors.joining(","));
  }

  void kill(int number) {
    process(number).destroyForcibly();
  }

  /** Starts a killed one again; returns when its socket is there. */
  void raise(int number) throws Exception {
    process(number).onExit().join();
    // Whoever was killed left it behind; the next one shall be measured from its own.
    Files.deleteIfExists(Plugins.socket(bench.scratch(), number));
    start(number);
    awaitSocket(number);
  }

  private void start(int number) throws IOException {
    living.put(number, Plugins.apart(bench.distribution(), bench.scratch(), number));
  }

  private void awaitSocket(int number) throws Exception {
    Waiting.timed("the socket", () -> Files.exists(Plugins.socket(bench.scratch(), number)));
  }

  private Process process(int number) {
    var process = living.get(number);
    if (process == null) {
      throw new IllegalArgumentException("no plugin " + number);
    }
    return process;
  }

  @Override
  public void close() {
    living.values().forEach(process -> process.destroyForcibly().onExit().join());
  }
}

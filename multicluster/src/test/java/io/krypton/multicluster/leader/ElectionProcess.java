// SPDX-License-Identifier: Apache-2.0
package io.krypton.multicluster.leader;

import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;

/** An {@link ElectionMain} in a JVM of its own, and its output. */
final class ElectionProcess implements AutoCloseable {
  record Line(Instant at, String what) {}

  private final Process process;
  private final List<Line> lines = new CopyOnWriteArrayList<>();

  ElectionProcess(String name, Path kubeconfig, String namespace) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    process =
        new ProcessBuilder(
                java,
                "-XX:TieredStopAtLevel=1",
                "-cp",
                System.getProperty("java.class.path"),
                ElectionMain.class.getName(),
                name,
                kubeconfig.toString(),
                namespace)
            .redirectError(Redirect.INHERIT)
            .start();
    Thread.ofVirtual().start(this::read);
  }

  private void read() {
    process
        .inputReader()
        .lines()
        .map(line -> line.split(" ", 2))
        .filter(parts -> parts.length == 2 && parts[0].matches("\\d{13}"))
        .forEach(
            parts -> lines.add(new Line(Instant.ofEpochMilli(Long.parseLong(parts[0])), parts[1])));
  }

  List<Line> lines() {
    return List.copyOf(lines);
  }

  boolean printed(String what) {
    return lines.stream().anyMatch(line -> line.what().equals(what));
  }

  List<Line> linesAfter(Instant time) {
    return lines.stream().filter(line -> line.at().isAfter(time)).toList();
  }

  /** Sends a signal by its name, as kill does. */
  void signal(String name) throws IOException, InterruptedException {
    var kill = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid())).start();
    if (kill.waitFor() != 0) {
      throw new IOException("kill -" + name + " failed");
    }
  }

  int exitCode() throws InterruptedException {
    process.waitFor(20, TimeUnit.SECONDS);
    return process.exitValue();
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}

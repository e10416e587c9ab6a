// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.cli.sandbox.KryptonProcess.Launcher;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.ControlPlane;
import io.krypton.sandbox.Directories;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;

/** What the demo acts with: a directory, the tools of a user, and the processes it has started. */
final class DemoEnvironment implements AutoCloseable {
  final ProgressPrinter progress;
  final Path directory;
  private final ExternalTool kubectl;
  private final ExternalTool helm;
  private final Map<String, String> settings;
  private final List<AutoCloseable> opened = new ArrayList<>();
  private boolean keepLogs;

  DemoEnvironment(ProgressPrinter progressPrinter) throws IOException {
    this.progress = progressPrinter;
    var assets = Assets.fromEnvironment();
    var kubectlBinary = assets.find(Binary.KUBECTL);
    var helmBinary = assets.find(Binary.HELM);
    this.directory = Files.createTempDirectory("krypton-demo");
    this.kubectl = new ExternalTool("kubectl", kubectlBinary, directory);
    this.helm = new ExternalTool("helm", helmBinary, directory);
    // Only what keeps several demos on one machine apart; a user needs none of it.
    this.settings =
        Map.of(
            "KRYPTON_HELM_BINARY",
            helmBinary.toString(),
            "KRYPTON_DATA_DIR",
            directory.resolve("data").toString(),
            "KRYPTON_METRICS_BIND_ADDRESS",
            "127.0.0.1:0",
            "KRYPTON_HEALTH_PROBE_BIND_ADDRESS",
            "127.0.0.1:0",
            "KRYPTON_LISTEN",
            "127.0.0.1:0",
            // What a killed process leaves behind goes with the directory.
            "KRYPTON_JAVA_OPTS",
            javaOptions(Files.createDirectory(directory.resolve("tmp"))));
  }

  private static String javaOptions(Path temporary) {
    var given = System.getenv("KRYPTON_JAVA_OPTS");
    var own = "-Djava.io.tmpdir=" + temporary;
    return given == null ? own : given + " " + own;
  }

  Path file(String name) {
    return directory.resolve(name);
  }

  Path write(String name, String content) throws IOException {
    var file = file(name);
    Files.deleteIfExists(file);
    Files.createFile(
        file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
    return Files.writeString(file, content);
  }

  synchronized void adopt(ControlPlane plane) throws IOException {
    opened.add(plane);
    write(plane.name() + ".kubeconfig", plane.adminKubeconfig());
  }

  /** Types a kubectl command for one of the clusters, and shows its answer. */
  String kubectl(String cluster, String... arguments) throws Exception {
    var all = new ArrayList<>(List.of("--kubeconfig", cluster + ".kubeconfig"));
    all.addAll(Arrays.asList(arguments));
    return progress.command("kubectl " + quoted(all), () -> kubectl.run(all));
  }

  String helm(String cluster, String... arguments) throws Exception {
    var all = new ArrayList<>(List.of("--kubeconfig", cluster + ".kubeconfig"));
    all.addAll(Arrays.asList(arguments));
    return progress.command("helm " + quoted(all), () -> helm.run(all));
  }

  /** Types a krypton command that goes on in the background. */
  synchronized KryptonProcess krypton(String log, String... arguments) throws IOException {
    progress.line("$ krypton " + quoted(Arrays.asList(arguments)) + " &");
    var kryptonProcess =
        KryptonProcess.start(
            Launcher.path(), directory, file(log + ".log"), settings, Arrays.asList(arguments));
    opened.add(kryptonProcess);
    return kryptonProcess;
  }

  private static String quoted(List<String> arguments) {
    return String.join(
        " ", arguments.stream().map(it -> it.contains(" ") ? "'" + it + "'" : it).toList());
  }

  /** From now on the directory stays, because its logs tell what went wrong. */
  synchronized void keepLogs() {
    keepLogs = true;
  }

  /** Ends all processes, in the reverse order of their start; may be called twice. */
  @Override
  public synchronized void close() throws IOException {
    while (!opened.isEmpty()) {
      close(opened.removeLast());
    }
    if (!keepLogs && Files.exists(directory)) {
      Directories.delete(directory);
    }
  }

  private static void close(AutoCloseable opened) throws IOException {
    try {
      opened.close();
    } catch (Exception e) {
      throw new IOException("a process of the demo did not end", e);
    }
  }
}

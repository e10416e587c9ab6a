// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import io.krypton.cli.sandbox.KryptonProcess.Launcher;
import io.krypton.cli.sandbox.SandboxDirectory.NameOption;
import io.krypton.cli.view.Progress;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import io.krypton.sandbox.nodes.SimulatedNodes;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton sandbox up}: starts a keeper in the background and waits until all serves. */
@Command(
    name = "up",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = "Starts control planes that run until 'krypton sandbox down'.")
public final class SandboxUpCommand implements Callable<Integer> {
  private static final Duration POLL_INTERVAL = Duration.ofMillis(200);
  private static final int MAX_CLUSTERS = 20;
  private static final int LOG_LINES = 5;

  @Mixin private final NameOption sandbox = new NameOption();

  @Option(
      names = "--clusters",
      paramLabel = "N",
      description = "How many: home, edge, edge-2, … Default: 2")
  private int clusters = 2;

  @Option(
      names = "--nodes",
      paramLabel = "N",
      description =
          "Simulated nodes of each cluster, on which pods become ready; without them none ever runs. Default: 0")
  private int nodes;

  @Option(
      names = "--encryption",
      negatable = true,
      defaultValue = "true",
      fallbackValue = "true",
      description = "Encrypt Secrets by a KMS plugin for development (the default), or not.")
  private boolean encryption;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    if (clusters < 1 || clusters > MAX_CLUSTERS) {
      throw new ParameterException(
          spec.commandLine(), "--clusters %d: use 1 to %d".formatted(clusters, MAX_CLUSTERS));
    }
    if (nodes < 0 || nodes > SimulatedNodes.MAX) {
      throw new ParameterException(
          spec.commandLine(), "--nodes %d: use 0 to %d".formatted(nodes, SimulatedNodes.MAX));
    }
    Assets.fromEnvironment().require(servers(nodes));
    var home = sandbox.home();
    var out = spec.commandLine().getOut();
    if (home.running().isPresent()) {
      throw new IllegalStateException(
          "sandbox '%s' runs already; see 'krypton sandbox status' or end it with 'krypton sandbox down%s'"
              .formatted(home.name(), nameFlag(home)));
    }
    home.delete();
    home.create();
    var keeper = startKeeper(home);
    var contents = await(home, keeper);
    printSummary(out, home, contents);
    return 0;
  }

  private Process startKeeper(SandboxDirectory home) throws IOException {
    var log = home.log().toFile();
    // A session of its own: neither Ctrl-C nor the end of this terminal reaches it.
    var command =
        List.of(
            "setsid",
            Launcher.path().toString(),
            "sandbox",
            "keep",
            "--name=" + home.name(),
            "--clusters=" + clusters,
            "--nodes=" + nodes,
            "--encryption=" + encryption);
    return new ProcessBuilder(command)
        .redirectInput(ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
        .redirectOutput(log)
        .redirectError(ProcessBuilder.Redirect.appendTo(log))
        .start();
  }

  private SandboxDirectory.Contents await(SandboxDirectory home, Process keeper)
      throws IOException, InterruptedException {
    var names = IntStream.range(0, clusters).mapToObj(SandboxKeepCommand::nameOf).toList();
    var binaries = servers(nodes);
    try (var progress =
            Progress.start(spec.commandLine().getErr(), startLabel(names, binaries, List.of()));
        var servers = progress.count(clusters * binaries.size(), "servers")) {
      while (true) {
        var contents = home.running();
        if (contents.isPresent()) {
          return contents.get();
        }
        var ready = home.ready();
        servers.reached(ready.size());
        progress.label(startLabel(names, binaries, ready));
        if (keeper.waitFor(POLL_INTERVAL.toMillis(), TimeUnit.MILLISECONDS)) {
          throw new IllegalStateException(
              "the control planes did not start: %s (whole log: %s)"
                  .formatted(endOf(home.log()), home.log()));
        }
      }
    }
  }

  /** What each cluster consists of, in the order of its start. */
  static List<Binary> servers(int nodes) {
    var servers =
        new ArrayList<>(
            List.of(Binary.ETCD, Binary.KUBE_APISERVER, Binary.KUBE_CONTROLLER_MANAGER));
    if (nodes > 0) {
      servers.addAll(List.of(Binary.KUBE_SCHEDULER, Binary.KWOK));
    }
    return servers;
  }

  /** {@code starting home (kube-apiserver), edge (etcd)}: the server that each waits for. */
  static String startLabel(List<String> clusters, List<Binary> servers, List<String> ready) {
    return clusters.stream()
        .flatMap(
            cluster ->
                servers.stream()
                    .map(Binary::fileName)
                    .filter(server -> !ready.contains(cluster + " " + server))
                    .findFirst()
                    .map(server -> "%s (%s)".formatted(cluster, server))
                    .stream())
        .collect(
            Collectors.collectingAndThen(
                Collectors.joining(", "), it -> ("starting " + it).strip()));
  }

  private static String endOf(Path log) throws IOException {
    var lines = Files.readAllLines(log);
    return String.join("; ", lines.subList(Math.max(0, lines.size() - LOG_LINES), lines.size()));
  }

  private static void printSummary(
      PrintWriter out, SandboxDirectory home, SandboxDirectory.Contents contents) {
    SandboxStatusCommand.table(out, Map.of(home.name(), contents));
    var first = contents.clusters().getFirst();
    out.printf("%nexport KUBECONFIG=%s%n", first.kubeconfig());
    if (first.kmsDirectory() != null) {
      out.printf("Keys, socket and fault file of its KMS plugin: %s%n", first.kmsDirectory());
    }
    out.printf("End it with: krypton sandbox down%s%n", nameFlag(home));
    out.flush();
  }

  private static String nameFlag(SandboxDirectory home) {
    return home.name().equals("default") ? "" : " --name=" + home.name();
  }
}

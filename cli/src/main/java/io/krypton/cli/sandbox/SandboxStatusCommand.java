// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import io.krypton.sandbox.Assets;
import io.krypton.sandbox.Assets.Binary;
import java.io.IOException;
import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code krypton sandbox status}: all sandboxes of this user. */
@Command(
    name = "status",
    mixinStandardHelpOptions = true,
    description = "Lists the sandboxes that run, and whether their API servers are ready.")
public final class SandboxStatusCommand implements Callable<Integer> {
  private static final String ROW = "%-12s %-10s %-9s %-7s %-26s %-11s %s%n";

  /** The forms of the answer. */
  enum Form {
    TABLE,
    JSON
  }

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORM",
      description = "table or json. Default: table")
  private Form form = Form.TABLE;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws Exception {
    var out = spec.commandLine().getOut();
    var running = running(SandboxDirectory.all(System.getenv()));
    switch (form) {
      case TABLE -> {
        if (running.isEmpty()) {
          out.println("no sandbox runs; start one with: krypton sandbox up");
        } else {
          table(out, running);
        }
      }
      case JSON ->
          out.println(
              JsonMapper.builder()
                  .enable(SerializationFeature.INDENT_OUTPUT)
                  .build()
                  .writeValueAsString(running));
    }
    out.flush();
    return 0;
  }

  private static Map<String, SandboxDirectory.Contents> running(Path all) throws IOException {
    var found = new TreeMap<String, SandboxDirectory.Contents>();
    if (Files.isDirectory(all)) {
      try (var directories = Files.list(all)) {
        for (var directory : directories.filter(Files::isDirectory).toList()) {
          var name = directory.getFileName().toString();
          new SandboxDirectory(name, directory).running().ifPresent(it -> found.put(name, it));
        }
      }
    }
    return found;
  }

  /** One line for each control plane. */
  static void table(PrintWriter out, Map<String, SandboxDirectory.Contents> sandboxes) {
    out.printf(
        ROW, "SANDBOX", "CLUSTER", "READY", "NODES", "API SERVER", "ENCRYPTION", "KUBECONFIG");
    sandboxes.forEach(
        (sandbox, contents) ->
            contents
                .clusters()
                .forEach(
                    cluster ->
                        out.printf(
                            ROW,
                            sandbox,
                            cluster.name(),
                            isReady(cluster) ? "yes" : "no",
                            cluster.nodes(),
                            cluster.url(),
                            cluster.kmsDirectory() == null ? "off" : "kms",
                            cluster.kubeconfig())));
    out.flush();
  }

  private static boolean isReady(SandboxDirectory.Member cluster) {
    try {
      new ExternalTool("kubectl", Assets.fromEnvironment().find(Binary.KUBECTL), Path.of("/"))
          .run(
              List.of(
                  "--kubeconfig",
                  cluster.kubeconfig(),
                  "get",
                  "--raw",
                  "/readyz",
                  "--request-timeout=5s"));
      return true;
    } catch (IOException notReady) {
      return false;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.training;

import io.krypton.cli.Main;
import java.util.List;
import java.util.Map;

/**
 * Runs each command that people wait for once, in one JVM, which keeps what it loaded in a cache.
 * Its argument is the kubeconfig of a {@link TrainingServer}.
 */
public final class TrainingMain {
  private static final List<String> COMMANDS =
      List.of(
          "--help",
          "completion bash",
          "tenants",
          "tenants --help",
          "tenants -o wide",
          "tenants --fleet",
          "clusters",
          "status",
          "kms",
          "kms --fleet",
          "explain tenant/acme",
          "status -o json",
          "sandbox status");

  private TrainingMain() {}

  public static void main(String... arguments) {
    for (var command : COMMANDS) {
      var words = command.split(" ");
      var line = new String[words.length + (isLocal(command) ? 0 : 2)];
      System.arraycopy(words, 0, line, 0, words.length);
      if (line.length > words.length) {
        line[words.length] = "--kubeconfig";
        line[words.length + 1] = arguments[0];
      }
      int exit = Main.run(Map.of(), line);
      if (exit != 0) {
        throw new IllegalStateException("krypton " + command + " ended with " + exit);
      }
    }
  }

  private static boolean isLocal(String command) {
    return command.contains("--help")
        || command.startsWith("completion")
        || command.startsWith("sandbox");
  }
}

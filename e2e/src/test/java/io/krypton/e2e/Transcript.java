// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What the demo printed, without what differs from run to run: times, ports, paths, hashes.
 *
 * @param lines as they stand on the page
 */
record Transcript(List<String> lines) {
  private static final Pattern TOLD = Pattern.compile("\\[\\d+/\\d+] .*|\\s+\\$ .*");

  static Transcript of(String printed, Path distribution) {
    return new Transcript(
        printed
            .replace(distribution + "/", "dist/")
            .lines()
            .filter(line -> !line.matches("\\s*\\.+"))
            .map(Transcript::withoutChance)
            .toList());
  }

  /** The one that is checked in. */
  static Transcript onPage(String page) {
    return new Transcript(
        DocBlock.of("docs/demo.md", page).stream()
            .filter(block -> block.language().equals("text"))
            .flatMap(block -> block.text().lines())
            .toList());
  }

  private static String withoutChance(String line) {
    var anywhere =
        line.replaceAll("127\\.0\\.0\\.1:\\d+", "127.0.0.1:PORT")
            .replaceAll("(unix://)?/[^\\s:=]*krypton-demo\\d+", "$1/tmp/krypton-demo")
            .replaceAll("kill -9 \\d+", "kill -9 PID");
    return isCommand(line) ? anywhere : withoutTimes(anywhere);
  }

  private static String withoutTimes(String line) {
    return line.replace("\t", "  ")
        .stripTrailing()
        .replaceAll(" \\.* ?\\d+\\.\\d s$", " … done")
        .replaceAll("(etcd holds: k8s:enc:kms:v2:[a-z-]+:).*", "$1… (no plain text)")
        .replaceAll("\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d(\\.\\d+)? \\+0000 UTC", "TIME")
        .replaceAll("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?Z", "TIME")
        .replaceAll("\\bk(\\d+)-[0-9a-f]{8}\\b", "k$1-HASH")
        .replaceAll("sha256:[0-9a-f]+", "sha256:HASH")
        .replaceAll("(?<=\\s)\\d+(\\.\\d+)?m?s\\b", "Ns");
  }

  private static boolean isCommand(String line) {
    return line.strip().startsWith("$ ");
  }

  /** The steps and the commands, which are the same in every run. */
  List<String> story() {
    return lines.stream().filter(line -> TOLD.matcher(line).matches()).toList();
  }

  String page(Duration took) {
    return """
        # What the demo prints

        Written by a run of `make demo` itself (`make transcript`), which took %d s on a machine with %d processors. Times, ports, paths and
        ciphertext are replaced, because they differ each time; a test runs the demo and compares its steps and commands with this page.

        ```text
        """
            .formatted(took.toSeconds(), Runtime.getRuntime().availableProcessors())
        + lines.stream().collect(Collectors.joining("\n")).strip()
        + "\n```\n";
  }
}

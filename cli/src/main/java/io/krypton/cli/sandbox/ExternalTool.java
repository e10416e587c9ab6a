// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Runs a real program such as kubectl in a directory and gives back what it prints. */
public record ExternalTool(String name, Path binary, Path directory) {
  public String run(List<String> arguments) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(binary.toString()));
    command.addAll(arguments);
    var process =
        new ProcessBuilder(command).directory(directory.toFile()).redirectErrorStream(true).start();
    process.getOutputStream().close();
    var output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    var exit = process.waitFor();
    if (exit != 0) {
      throw new IOException(
          "%s %s ended with %d: %s"
              .formatted(name, String.join(" ", arguments), exit, output.strip()));
    }
    return output;
  }
}

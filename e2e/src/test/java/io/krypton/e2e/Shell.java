// SPDX-License-Identifier: Apache-2.0
package io.krypton.e2e;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** Runs commands as a user's shell would, with a bound on their time. */
final class Shell {
  static final Path ROOT = Path.of(System.getProperty("krypton.root"));
  static final Path KRYPTON = ROOT.resolve("dist/bin/krypton");

  /** What a command left behind. */
  record Result(int exit, String out, String err) {}

  private final Path directory;
  private final Map<String, String> environment = new HashMap<>(System.getenv());

  Shell(Path directory) {
    this.directory = directory;
  }

  Shell with(String variable, String value) {
    environment.put(variable, value);
    return this;
  }

  Shell without(String variable) {
    environment.remove(variable);
    return this;
  }

  Result run(Duration limit, String... command) throws IOException, InterruptedException {
    var out = Files.createTempFile("krypton-e2e", ".out");
    var err = Files.createTempFile("krypton-e2e", ".err");
    try {
      var process = start(out, err, command);
      if (!process.waitFor(limit.toMillis(), TimeUnit.MILLISECONDS)) {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        throw new AssertionError(
            "%s did not end within %s; it said:%n%s%n%s"
                .formatted(List.of(command), limit, text(out), text(err)));
      }
      return new Result(process.exitValue(), text(out), text(err));
    } finally {
      Files.delete(out);
      Files.delete(err);
    }
  }

  /** Starts a command whose output goes to two files. */
  Process start(Path out, Path err, String... command) throws IOException {
    var builder = new ProcessBuilder(command);
    builder.directory(directory.toFile());
    builder.environment().clear();
    builder.environment().putAll(environment);
    builder.redirectOutput(out.toFile()).redirectError(err.toFile());
    return builder.start();
  }

  private static String text(Path file) throws IOException {
    return Files.readString(file, StandardCharsets.UTF_8);
  }
}

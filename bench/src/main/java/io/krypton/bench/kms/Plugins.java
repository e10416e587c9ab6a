package io.krypton.bench.kms;

import io.krypton.kms.protocol.Endpoint;
import io.krypton.sandbox.plugin.KeyFile;
import io.krypton.sandbox.plugin.PluginServer;
import java.io.IOException;
import java.nio.file.Path;

/** Development plugins: in this process where they shall only answer, in their own to be killed. */
final class Plugins {
  private Plugins() {}

  static PluginServer here(Path directory, int number) throws IOException {
    return PluginServer.start(
        PluginServer.Settings.of(
            Endpoint.ofAddress(socket(directory, number).toString()),
            new KeyFile(keys(directory, number))));
  }

  static Process apart(Path distribution, Path directory, int number) throws IOException {
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
  static String named(Path directory, int number) {
    return "%d=unix://%s".formatted(number, socket(directory, number));
  }

  private static Path keys(Path directory, int number) {
    return directory.resolve(number + ".keys");
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plugin;

import io.krypton.sandbox.plugin.KeyFile;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton plugin rotate}: changes the keys of a plugin, which may be running. */
@Command(
    name = "rotate",
    mixinStandardHelpOptions = true,
    sortOptions = false,
    description = {
      "Adds a key and makes it current, or removes an old one.",
      "A running plugin follows within a second; the older keys go on decrypting."
    })
public final class PluginRotateCommand implements Callable<Integer> {
  @Option(
      names = "--key-file",
      required = true,
      paramLabel = "<file>",
      description = "The key file of the plugin.")
  private Path keyFile = Path.of("");

  @Option(
      names = "--retire",
      paramLabel = "<key id>",
      description = "Removes this key instead. What was encrypted under it is lost.")
  private @Nullable String retire;

  @Option(names = "--force", description = "Confirms --retire.")
  private boolean force;

  @Spec private CommandSpec spec;

  @Override
  public Integer call() throws IOException {
    var file = new KeyFile(keyFile);
    var out = spec.commandLine().getOut();
    if (retire == null) {
      if (force) {
        throw new ParameterException(spec.commandLine(), "--force only goes with --retire");
      }
      out.println("current key: " + file.rotate());
    } else {
      if (!force) {
        throw new ParameterException(
            spec.commandLine(),
            "--retire \"%s\" makes all data under that key unreadable, add --force to do it"
                .formatted(retire));
      }
      file.retire(retire);
      out.println("removed key: " + retire);
    }
    out.flush();
    return CommandLine.ExitCode.OK;
  }
}

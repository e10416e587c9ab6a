// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.plugin;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton plugin}: groups what can be done with a development KMS plugin. */
@Command(
    name = "plugin",
    mixinStandardHelpOptions = true,
    description = "A KMS v2 plugin for development: real encryption, faults on demand.",
    footer = "Never for production: its keys lie in a plain file.",
    subcommands = {PluginServeCommand.class, PluginRotateCommand.class, PluginFaultCommand.class})
public final class PluginCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}

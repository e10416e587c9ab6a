// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli.sandbox;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code krypton sandbox}: groups what can be done with control planes on this machine. */
@Command(
    name = "sandbox",
    mixinStandardHelpOptions = true,
    description = "Real control planes on this machine, without containers.",
    subcommands = {
      DemoCommand.class,
      SandboxUpCommand.class,
      SandboxStatusCommand.class,
      SandboxDownCommand.class,
      SandboxKeepCommand.class
    })
public final class SandboxCommand implements Runnable {
  @Spec private CommandSpec spec;

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}

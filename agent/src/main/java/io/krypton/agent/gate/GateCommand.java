// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code gate}: the root of its commands. */
@Command(
    name = "gate",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "<command>",
    description = "Checks whether an API server can start with its encryption configuration.")
public final class GateCommand implements Runnable {
  @Spec private CommandSpec spec = CommandSpec.create();

  private GateCommand() {}

  /** The command with all below it, to be run alone or mounted below another. */
  public static CommandLine create() {
    return new CommandLine(new GateCommand())
        .addSubcommand("wait", GateWaitCommand.forWait())
        .addSubcommand("check", GateWaitCommand.forCheck())
        .addSubcommand("serve", GateServeCommand.create())
        .addSubcommand("explain", new CommandLine(new GateExplainCommand()));
  }

  /** As above, with nothing but the command of that name if there is one. */
  public static CommandLine createFor(String command) {
    return switch (command) {
      case "wait" -> withOnly(command, GateWaitCommand.forWait());
      case "check" -> withOnly(command, GateWaitCommand.forCheck());
      case "serve" -> withOnly(command, GateServeCommand.create());
      default -> create();
    };
  }

  private static CommandLine withOnly(String name, CommandLine command) {
    return new CommandLine(new GateCommand()).addSubcommand(name, command);
  }

  @Override
  public void run() {
    throw new ParameterException(spec.commandLine(), "a command is missing");
  }
}

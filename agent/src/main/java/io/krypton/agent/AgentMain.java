// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import io.krypton.agent.gate.GateCommand;
import io.krypton.agent.reporter.ReporterCommand;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;

/** Entry point of the programs of a node, which need nothing else of the distribution. */
@Command(
    name = "krypton",
    synopsisSubcommandLabel = "<program>",
    description = "The programs that run beside an API server.")
public final class AgentMain {
  private AgentMain() {}

  public static void main(String[] args) {
    AgentLogConfigurator.activate();
    System.exit(commandLine(args).execute(args));
  }

  static CommandLine commandLine(String... args) {
    var line = new CommandLine(new AgentMain());
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("-h", "--help")
                .usageHelp(true)
                .description("Shows this text.")
                .build());
    // A description of all flags of all programs would cost more time than everything else before
    // the first probe.
    switch (args.length == 0 ? "" : args[0]) {
      case "reporter" -> line.addSubcommand(ReporterCommand.create());
      case "gate" -> line.addSubcommand(GateCommand.createFor(args.length == 1 ? "" : args[1]));
      case "agent" -> line.addSubcommand(AgentCommand.create());
      default -> {
        line.addSubcommand(ReporterCommand.create());
        line.addSubcommand(GateCommand.create());
        line.addSubcommand(AgentCommand.create());
      }
    }
    line.setParameterExceptionHandler(AgentMain::printUsage);
    return line;
  }

  private static int printUsage(ParameterException error, String[] arguments) {
    var command = error.getCommandLine();
    var name = command.getCommandSpec().qualifiedName();
    command.getErr().println(name + ": " + error.getMessage());
    command.getErr().println("Try '" + name + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }
}

package io.krypton.cli;

import io.krypton.cli.view.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;

/**
 * Turns every error of a command into one line on standard error; the stack goes to the debug log.
 */
final class OneLineErrors {
  private static final Logger log = LoggerFactory.getLogger(OneLineErrors.class);

  private OneLineErrors() {}

  static int usage(ParameterException error, String[] arguments) {
    var command = error.getCommandLine();
    command.getErr().println(nameOf(command) + ": " + error.getMessage());
    command.getErr().println("Try '" + nameOf(command) + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  static int failure(Exception error, CommandLine command, ParseResult parsed) {
    if (error instanceof UserError told) {
      command.getErr().println(nameOf(command) + ": " + told.getMessage());
      return told.exitCode();
    }
    if (error instanceof InterruptedException) {
      Thread.currentThread().interrupt();
    }
    log.debug("command failed", error);
    command.getErr().println(nameOf(command) + ": " + reasonOf(error));
    return CommandLine.ExitCode.SOFTWARE;
  }

  private static String nameOf(CommandLine command) {
    return command.getCommandSpec().qualifiedName();
  }

  private static String reasonOf(Exception error) {
    var message = error.getMessage();
    return message == null ? error.getClass().getSimpleName() : message;
  }
}

package io.krypton.cli;

import io.krypton.cli.view.NearestWord;
import io.krypton.cli.view.UserError;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/**
 * Turns every error of a command into one line on standard error; the stack goes to the debug log.
 */
final class OneLineErrors {
  private static final Logger log = LoggerFactory.getLogger(OneLineErrors.class);

  private OneLineErrors() {}

  static int usage(ParameterException error, String[] arguments) {
    var command = error.getCommandLine();
    command.getErr().println(nameOf(command) + ": " + wordsFor(error));
    command.getErr().println("Try '" + nameOf(command) + " --help'.");
    return CommandLine.ExitCode.USAGE;
  }

  /** Names what was probably meant in place of a command or flag that does not exist. */
  private static String wordsFor(ParameterException error) {
    if (!(error instanceof UnmatchedArgumentException unmatched)
        || unmatched.getUnmatched().isEmpty()) {
      return String.valueOf(error.getMessage());
    }
    var command = error.getCommandLine();
    var typed = unmatched.getUnmatched().getFirst();
    if (unmatched.isUnknownOption()) {
      var flag = typed.replaceFirst("=.*", "");
      var question = NearestWord.question(flag, command.getCommandSpec().optionsMap().keySet());
      return error.getMessage() + question;
    }
    var commands = command.getSubcommands().keySet();
    return commands.isEmpty()
        ? String.valueOf(error.getMessage())
        : "unknown command '%s'".formatted(typed) + NearestWord.question(typed, commands);
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

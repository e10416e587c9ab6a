// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import io.krypton.base.settings.SettingsException;
import io.krypton.base.settings.SettingsFile;
import io.krypton.cli.operator.OperatorCommand;
import io.krypton.cli.settings.FlagDefaults;
import io.krypton.cli.view.CliException;
import io.krypton.cli.view.SpellingSuggestion;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.UnmatchedArgumentException;

/** Entry point of {@code krypton}. */
public final class Main {
  private static final String LOG_LEVEL = "KRYPTON_LOG_LEVEL";

  /** These tell of all commands with all their flags. */
  private static final Set<String> NEEDS_ALL = Set.of("help", "completion");

  private Main() {}

  public static void main(String... arguments) {
    System.exit(run(System.getenv(), arguments));
  }

  public static int run(Map<String, String> environment, String... arguments) {
    var called = arguments.length == 0 ? "" : arguments[0];
    var commandLine = commandLineFor(called);
    if (Subcommands.named(called).filter(Subcommands::isInteractive).isPresent()
        && !environment.containsKey(LOG_LEVEL)) {
      System.setProperty("slf4j.provider", "org.slf4j.helpers.NOP_FallbackServiceProvider");
      System.setProperty("slf4j.internal.verbosity", "ERROR");
    }
    return switch (called) {
      case "operator" -> {
        // Manifests of the operator are older than this program: one-dash flags, other variables.
        var flags =
            Objects.requireNonNull(commandLine.getSubcommands().get(called))
                .getCommandSpec()
                .optionsMap()
                .keySet();
        var doubled = SingleDashFlags.normalize(flags, arguments);
        yield withSettings(
            commandLine, file -> OperatorCommand.defaults(environment, file), environment, doubled);
      }
      // Its chart flags listen to the same variables as the operator's.
      case "plan" ->
          withSettings(
              commandLine,
              file -> new FlagDefaults("KRYPTON_", environment, Map.of(), file, ignored -> {}),
              environment,
              arguments);
      default -> commandLine.execute(arguments);
    };
  }

  /** Lets a settings file and variables fill in for flags of the first argument's command. */
  private static int withSettings(
      CommandLine commandLine,
      Function<SettingsFile, IDefaultValueProvider> defaults,
      Map<String, String> environment,
      String... arguments) {
    var command = Objects.requireNonNull(commandLine.getSubcommands().get(arguments[0]));
    try {
      // Every command takes the file of the operator, which has more flags than it.
      var file =
          FlagDefaults.file(
              arguments,
              environment,
              () ->
                  List.of(
                      command.getCommandSpec(),
                      CommandSpec.forAnnotatedObject(new OperatorCommand())));
      command.setDefaultValueProvider(defaults.apply(file));
    } catch (SettingsException bad) {
      for (var error : bad.errors()) {
        commandLine.getErr().println("krypton %s: %s".formatted(arguments[0], error));
      }
      return CommandLine.ExitCode.USAGE;
    }
    return commandLine.execute(arguments);
  }

  /** All commands, whole. */
  static CommandLine commandLine() {
    var root = new CommandLine(new KryptonCommand());
    for (var command : Subcommands.values()) {
      command.addTo(root);
    }
    return guarded(root);
  }

  /** The same for who calls one command: the others are only names. */
  static CommandLine commandLineFor(String called) {
    if (NEEDS_ALL.contains(called)) {
      return commandLine();
    }
    var root = new CommandLine(new KryptonCommand());
    for (var command : Subcommands.values()) {
      if (command.commandName().equals(called)) {
        command.addTo(root);
      } else {
        command.addNameTo(root);
      }
    }
    return guarded(root);
  }

  private static CommandLine guarded(CommandLine commandLine) {
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(ErrorHandler::usage)
        .setExecutionExceptionHandler(ErrorHandler::failure);
  }

  /**
   * Turns every error of a command into one line on standard error; the stack goes to the debug
   * log.
   */
  static final class ErrorHandler {
    private static final Logger log = LoggerFactory.getLogger(ErrorHandler.class);

    private ErrorHandler() {}

    static int usage(ParameterException error, String[] arguments) {
      var command = error.getCommandLine();
      command.getErr().println(nameOf(command) + ": " + messageFor(error));
      command.getErr().println("Try '" + nameOf(command) + " --help'.");
      return CommandLine.ExitCode.USAGE;
    }

    /** Names what was probably meant in place of a command or flag that does not exist. */
    private static String messageFor(ParameterException error) {
      if (!(error instanceof UnmatchedArgumentException unmatched)
          || unmatched.getUnmatched().isEmpty()) {
        return String.valueOf(error.getMessage());
      }
      var command = error.getCommandLine();
      var typed = unmatched.getUnmatched().getFirst();
      if (unmatched.isUnknownOption()) {
        var flag = typed.replaceFirst("=.*", "");
        var question =
            SpellingSuggestion.didYouMean(flag, command.getCommandSpec().optionsMap().keySet());
        return error.getMessage() + question;
      }
      var commands = command.getSubcommands().keySet();
      return commands.isEmpty()
          ? String.valueOf(error.getMessage())
          : "unknown command '%s'".formatted(typed)
              + SpellingSuggestion.didYouMean(typed, commands);
    }

    static int failure(Exception error, CommandLine command, ParseResult parsed) {
      if (error instanceof CliException told) {
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

  /** Lets manifests written for programs with one-dash flags ({@code -chart-repo=x}) start ours. */
  public static final class SingleDashFlags {
    private SingleDashFlags() {}

    /**
     * Doubles the dash of every argument that is a known long name behind one dash. Anything else
     * is left alone: the value of a flag may begin with a dash too.
     *
     * @param flags with both dashes
     */
    public static String[] normalize(Set<String> flags, String... arguments) {
      return Arrays.stream(arguments)
          .map(argument -> flags.contains("-" + nameOf(argument)) ? "-" + argument : argument)
          .toArray(String[]::new);
    }

    private static String nameOf(String argument) {
      return argument.split("=", 2)[0];
    }
  }
}

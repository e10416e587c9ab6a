package io.krypton.cli;

import io.krypton.agent.gate.command.AgentCommand;
import io.krypton.agent.gate.command.GateCommand;
import io.krypton.agent.reporter.ReporterCommand;
import io.krypton.cli.operator.OperatorCommand;
import io.krypton.cli.settings.SettingsFile;
import io.krypton.cli.settings.SingleDash;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.IDefaultValueProvider;

/** Entry point of {@code krypton}. */
public final class Main {
  private Main() {}

  public static void main(String... arguments) {
    System.exit(run(System.getenv(), arguments));
  }

  static int run(Map<String, String> environment, String... arguments) {
    var commandLine =
        ViewCommands.alone(environment, arguments).map(Main::guarded).orElseGet(Main::commandLine);
    return switch (arguments.length == 0 ? "" : arguments[0]) {
      case "operator" -> {
        // Manifests of the operator are older than this program: one-dash flags, other variables.
        var flags =
            Objects.requireNonNull(commandLine.getSubcommands().get(arguments[0]))
                .getCommandSpec()
                .optionsMap()
                .keySet();
        var doubled = SingleDash.doubled(flags, arguments);
        yield withSettings(
            commandLine, file -> OperatorCommand.defaults(environment, file), environment, doubled);
      }
      case "plan" ->
          withSettings(
              commandLine,
              file -> ViewCommands.defaults(environment, file),
              environment,
              arguments);
      default -> commandLine.execute(arguments);
    };
  }

  /** Lets a settings file and variables fill in for flags of the first argument's command. */
  private static int withSettings(
      CommandLine commandLine,
      Function<Map<String, String>, IDefaultValueProvider> defaults,
      Map<String, String> environment,
      String... arguments) {
    try {
      Objects.requireNonNull(commandLine.getSubcommands().get(arguments[0]))
          .setDefaultValueProvider(defaults.apply(SettingsFile.namedBy(arguments, environment)));
    } catch (IllegalArgumentException badFile) {
      commandLine.getErr().println("krypton %s: %s".formatted(arguments[0], badFile.getMessage()));
      return CommandLine.ExitCode.USAGE;
    }
    return commandLine.execute(arguments);
  }

  static CommandLine commandLine() {
    return guarded(
        ViewCommands.addTo(
            new CommandLine(new KryptonCommand())
                .addSubcommand("agent", AgentCommand.create())
                .addSubcommand("gate", GateCommand.create())
                .addSubcommand("reporter", ReporterCommand.create())));
  }

  private static CommandLine guarded(CommandLine commandLine) {
    return commandLine
        .setCaseInsensitiveEnumValuesAllowed(true)
        .setParameterExceptionHandler(OneLineErrors::usage)
        .setExecutionExceptionHandler(OneLineErrors::failure);
  }
}

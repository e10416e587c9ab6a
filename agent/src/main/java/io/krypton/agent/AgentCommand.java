// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent;

import io.krypton.agent.gate.GateOptions;
import io.krypton.agent.gate.GateProcess;
import io.krypton.agent.gate.GateServeCommand;
import io.krypton.agent.gate.GateWaitCommand;
import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettings.OnFatal;
import io.krypton.agent.gate.config.GateSettingsParser;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import io.krypton.agent.reporter.ReporterCommand;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/**
 * {@code agent}: the reporter and a serving gate in one process, so that a node pays for one JVM.
 * The reporter has its flags as they are; those of the gate begin with {@code --gate-}, which is
 * also what their environment variables say.
 */
@Command(
    name = "agent",
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "The reporter and the serving gate in one process.",
      "Flags of the gate begin with --gate-, all others are those of the reporter."
    })
public final class AgentCommand implements Callable<Integer> {
  private static final String PREFIX = "gate-";

  @Spec private CommandSpec spec = CommandSpec.create();

  private AgentCommand() {}

  /** The command with all its flags, to be run alone or mounted below another. */
  public static CommandLine create() {
    var line = new CommandLine(new AgentCommand());
    var spec = line.getCommandSpec();
    GateOptions.addHelp(spec);
    ReporterCommand.create().getCommandSpec().options().stream()
        .filter(option -> !option.usageHelp())
        .forEach(option -> spec.addOption(copy(option)));
    GateOptions.addTo(spec, GateMode.SERVE, PREFIX);
    return line;
  }

  private static OptionSpec copy(OptionSpec option) {
    return OptionSpec.builder(option.names())
        .type(String.class)
        .arity("1")
        .paramLabel(option.paramLabel())
        .description(option.description())
        .build();
  }

  @Override
  public Integer call() {
    var given = GateOptions.matchedFlags(spec.commandLine(), PREFIX);
    return switch (GateSettingsParser.parse(GateMode.SERVE, given, System.getenv())) {
      case Parsed.Invalid(var errors, var terminationLog) ->
          GateWaitCommand.reportUsageErrors(
              spec,
              GateMode.SERVE,
              errors.stream().map(error -> error.replaceFirst("^--", "--" + PREFIX)).toList(),
              terminationLog);
      case Parsed.Valid(var settings) -> {
        var errors = exitConflicts(settings);
        yield errors.isEmpty()
            ? run(settings)
            : GateWaitCommand.reportUsageErrors(
                spec, GateMode.SERVE, errors, settings.terminationLog());
      }
    };
  }

  private static List<String> exitConflicts(GateSettings settings) {
    var errors = new ArrayList<String>();
    if (settings.onFatal() == OnFatal.EXIT) {
      errors.add("--gate-on-fatal \"exit\" would end the reporter, too: use hold or pass");
    }
    if (!settings.waitForConfig()) {
      errors.add("--gate-wait-for-config \"false\" would end the reporter, too: use true");
    }
    return errors;
  }

  /** The reporter waits for the signal and sees to the exit code. */
  private int run(GateSettings settings) {
    var gate = new GateProcess(settings, GateServeCommand::flushLog);
    var stop = new Thread(gate::shutDown, "stop-gate");
    Runtime.getRuntime().addShutdownHook(stop);
    gate.start();
    var watcher = Thread.ofVirtual().name("gate-progress").start(() -> logProgress(gate));
    var reporter =
        ReporterCommand.create()
            .setOut(spec.commandLine().getOut())
            .setErr(spec.commandLine().getErr());
    var exit = reporter.execute(reporterArguments());
    Runtime.getRuntime().removeShutdownHook(stop);
    watcher.interrupt();
    gate.close();
    return exit;
  }

  /** Never ends by itself: what would end it was refused. */
  private static void logProgress(GateProcess gate) {
    try {
      var unexpected = gate.awaitTermination();
      throw new IllegalStateException("the gate wants to end with " + unexpected);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private String[] reporterArguments() {
    var arguments = new ArrayList<String>();
    for (var option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!option.longestName().startsWith("--" + PREFIX)
          && option.getValue() instanceof String value) {
        arguments.add(option.longestName() + "=" + value);
      }
    }
    return arguments.toArray(String[]::new);
  }
}

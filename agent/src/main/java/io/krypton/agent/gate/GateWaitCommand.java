// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettingsParser;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import io.krypton.agent.gate.wait.GateWaiter;
import io.krypton.agent.gate.wait.TerminationMessage;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code gate wait} and {@code gate check}: probe until there is a decision, and end with it. */
@Command(
    abbreviateSynopsis = true,
    sortOptions = false,
    exitCodeListHeading = "Exit codes:%n",
    exitCodeList = {
      "0:all required providers are OK, or there is none",
      "2:bad flag, environment variable or settings file",
      "3:configuration missing or invalid",
      "4:FATAL: waiting will not help",
      "5:not OK in time, try again",
      "143:stopped by a signal"
    })
public final class GateWaitCommand implements Callable<Integer> {
  private final GateMode mode;
  @Spec private CommandSpec spec = CommandSpec.create();

  private GateWaitCommand(GateMode mode) {
    this.mode = mode;
  }

  static CommandLine forWait() {
    return create(GateMode.WAIT, "Waits until the KMS plugins work; for init containers.");
  }

  static CommandLine forCheck() {
    var line =
        create(GateMode.CHECK, "Probes the KMS plugins once; for startup probes and scripts.");
    line.getCommandSpec()
        .addOption(
            OptionSpec.builder("--once")
                .type(Boolean.class)
                .arity("0")
                .description("Implied; makes scripts easier to read.")
                .build());
    return line;
  }

  private static CommandLine create(GateMode mode, String description) {
    var line = new CommandLine(new GateWaitCommand(mode));
    line.getCommandSpec()
        .usageMessage()
        .description(
            description, "Each setting can also come from the environment (KRYPTON_GATE_<FLAG>).");
    GateOptions.addHelp(line.getCommandSpec());
    GateOptions.addTo(line.getCommandSpec(), mode, "");
    return line;
  }

  @Override
  public Integer call() throws InterruptedException {
    var given = GateOptions.matchedFlags(spec.commandLine(), "");
    return switch (GateSettingsParser.parse(mode, given, System.getenv())) {
      case Parsed.Invalid(var errors, var terminationLog) ->
          reportUsageErrors(spec, mode, errors, terminationLog);
      case Parsed.Valid(var settings) -> run(settings);
    };
  }

  private int run(GateSettings settings) throws InterruptedException {
    try (var gateWaiter = new GateWaiter(settings);
        var _ =
            ShutdownHook.register(
                () ->
                    gateWaiter
                        .terminationMessage("stopped", ShutdownHook.EXIT_CODE)
                        .write(settings.terminationLog()))) {
      var gateDecision = gateWaiter.run();
      if (gateDecision.exitCode() != 0) {
        var err = spec.commandLine().getErr();
        err.println(gateWaiter.failureMessage());
        err.flush();
      }
      gateWaiter
          .terminationMessage(gateDecision.value(), gateDecision.exitCode())
          .write(settings.terminationLog());
      return gateDecision.exitCode();
    }
  }

  /** Prints all errors, one per line, and writes them to the termination log. */
  public static int reportUsageErrors(
      CommandSpec spec, GateMode mode, List<String> errors, Path terminationLog) {
    var err = spec.commandLine().getErr();
    errors.forEach(err::println);
    err.flush();
    new TerminationMessage(
            mode.command(),
            "usage",
            CommandLine.ExitCode.USAGE,
            Duration.ZERO,
            "",
            String.join("; ", errors),
            List.of())
        .write(terminationLog);
    return CommandLine.ExitCode.USAGE;
  }
}

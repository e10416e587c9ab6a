// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.agent.gate.config.GateSettings;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import io.krypton.agent.gate.config.GateSettingsParser;
import io.krypton.agent.gate.config.GateSettingsParser.Parsed;
import java.util.concurrent.Callable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** {@code gate serve}: probes for ever and answers over HTTP. */
@Command(
    name = "serve",
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Probes the KMS plugins for ever and serves /livez, /healthz, /readyz and /metrics.",
      "Each setting can also come from the environment (KRYPTON_GATE_<FLAG>)."
    })
public final class GateServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private GateServeCommand() {}

  static CommandLine create() {
    var line = new CommandLine(new GateServeCommand());
    GateOptions.addHelp(line.getCommandSpec());
    GateOptions.addTo(line.getCommandSpec(), GateMode.SERVE, "");
    return line;
  }

  @Override
  public Integer call() throws InterruptedException {
    var given = GateOptions.matchedFlags(spec.commandLine(), "");
    return switch (GateSettingsParser.parse(GateMode.SERVE, given, System.getenv())) {
      case Parsed.Invalid(var errors, var terminationLog) ->
          GateWaitCommand.reportUsageErrors(spec, GateMode.SERVE, errors, terminationLog);
      case Parsed.Valid(var settings) -> run(settings);
    };
  }

  private static int run(GateSettings settings) throws InterruptedException {
    try (var process = new GateProcess(settings, GateServeCommand::flushLog);
        var _ = ShutdownHook.register(process::shutDown)) {
      process.start();
      var gateDecision = process.awaitTermination();
      process.terminationMessage(gateDecision).write(settings.terminationLog());
      return gateDecision.exitCode();
    }
  }

  public static void flushLog() {
    System.out.flush();
    System.err.flush();
  }
}

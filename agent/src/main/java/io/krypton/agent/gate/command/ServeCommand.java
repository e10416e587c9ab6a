package io.krypton.agent.gate.command;

import io.krypton.agent.gate.settings.GateMode;
import io.krypton.agent.gate.settings.GateSettings;
import io.krypton.agent.gate.settings.GateSettingsParser;
import io.krypton.agent.gate.settings.GateSettingsParser.Parsed;
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
public final class ServeCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  private ServeCommand() {}

  static CommandLine create() {
    var line = new CommandLine(new ServeCommand());
    GateOptions.addHelp(line.getCommandSpec());
    GateOptions.addTo(line.getCommandSpec(), GateMode.SERVE, "");
    return line;
  }

  @Override
  public Integer call() throws InterruptedException {
    var given = GateOptions.given(spec.commandLine(), "");
    return switch (GateSettingsParser.parse(GateMode.SERVE, given, System.getenv())) {
      case Parsed.Invalid(var errors, var terminationLog) ->
          WaitCommand.refuse(spec, GateMode.SERVE, errors, terminationLog);
      case Parsed.Valid(var settings) -> run(settings);
    };
  }

  private static int run(GateSettings settings) throws InterruptedException {
    try (var process = new ServeProcess(settings, ServeCommand::flushLog);
        var _ = StopSignal.then(process::shutDown)) {
      process.start();
      var decision = process.awaitEnd();
      process.report(decision).write(settings.terminationLog());
      return decision.exit();
    }
  }

  static void flushLog() {
    System.out.flush();
    System.err.flush();
  }
}

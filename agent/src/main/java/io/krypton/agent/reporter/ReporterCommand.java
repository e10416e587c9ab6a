// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import io.krypton.agent.reporter.config.ReporterFlag;
import io.krypton.agent.reporter.config.ReporterSettingsParser;
import io.krypton.agent.reporter.config.ReporterSettingsParser.Parsed;
import io.krypton.agent.settings.YamlFormat;
import io.krypton.base.settings.SettingSources;
import io.krypton.base.settings.SettingsException;
import io.krypton.base.settings.SettingsFile;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code reporter}: only bad settings end it (exit 2), or a signal. */
@Command(
    name = "reporter",
    abbreviateSynopsis = true,
    sortOptions = false,
    description = {
      "Probes the KMS plugins of this node and reports their health to the cluster.",
      "Each setting can also come from the environment (KRYPTON_<FLAG>) or from a file."
    })
public final class ReporterCommand implements Callable<Integer> {
  private static final Logger log = LoggerFactory.getLogger(ReporterCommand.class);

  private static final Duration STARTUP_PERIOD = Duration.ofSeconds(30);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--config", paramLabel = "<file>", description = "YAML, keys are flag names.")
  private @Nullable String config;

  private ReporterCommand() {}

  /** The command with all its flags, to be run alone or mounted below another. */
  public static CommandLine create() {
    var line = new CommandLine(new ReporterCommand());
    var spec = line.getCommandSpec();
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this text.").build());
    for (var flag : ReporterFlag.values()) {
      spec.addOption(option(flag));
    }
    return line;
  }

  private static OptionSpec option(ReporterFlag flag) {
    var value = flag.setting().defaultValue();
    var byDefault = value.isEmpty() ? "" : " Default: " + value;
    return OptionSpec.builder(flag.setting().flag())
        .type(String.class)
        .paramLabel("<value>")
        .description(flag.description() + byDefault)
        .build();
  }

  @Override
  public Integer call() throws InterruptedException {
    var environment = System.getenv();
    SettingsFile file;
    try {
      file = settingsFile(environment);
    } catch (SettingsException unusable) {
      return printErrors(unusable.errors());
    }
    return switch (ReporterSettingsParser.parse(
        new SettingSources(
            ReporterSettingsParser.ENVIRONMENT_PREFIX, flags(), environment, file))) {
      case Parsed.Invalid(var errors) -> printErrors(errors);
      case Parsed.Valid(var settings, var warnings) -> {
        warnings.forEach(log::warn);
        runUntilSignal(new ReporterProcess(settings, environment));
        yield CommandLine.ExitCode.OK;
      }
    };
  }

  private SettingsFile settingsFile(Map<String, String> environment) throws SettingsException {
    var named =
        config == null
            ? environment.getOrDefault(ReporterSettingsParser.ENVIRONMENT_PREFIX + "CONFIG", "")
            : config;
    return named.isEmpty()
        ? SettingsFile.NONE
        : SettingsFile.read("--config", named, new YamlFormat());
  }

  private Map<String, String> flags() {
    var flags = new HashMap<String, String>();
    for (var option : spec.commandLine().getParseResult().matchedOptions()) {
      if (!option.longestName().equals("--config") && option.getValue() instanceof String value) {
        flags.put(option.longestName().substring(2), value);
      }
    }
    return flags;
  }

  private int printErrors(List<String> errors) {
    var err = spec.commandLine().getErr();
    errors.forEach(err::println);
    err.flush();
    return CommandLine.ExitCode.USAGE;
  }

  /** A signal ends the JVM with 128 and its number, after the shutdown hook. */
  private static void runUntilSignal(ReporterProcess process) throws InterruptedException {
    Runtime.getRuntime().addShutdownHook(new Thread(process::close, "stop"));
    process.start();
    var never = new CountDownLatch(1);
    if (!never.await(STARTUP_PERIOD.toSeconds(), TimeUnit.SECONDS)) {
      // The start leaves more garbage than all that follows, and nothing else would collect it.
      System.gc();
    }
    never.await();
  }
}

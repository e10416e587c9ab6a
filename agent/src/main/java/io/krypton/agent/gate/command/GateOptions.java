package io.krypton.agent.gate.command;

import io.krypton.agent.gate.settings.GateFlag;
import io.krypton.agent.gate.settings.GateMode;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of the gate as options of a command, with a prefix if other flags are there, too. */
final class GateOptions {
  private GateOptions() {}

  static void addTo(CommandSpec spec, GateMode mode, String prefix) {
    for (var flag : GateFlag.of(mode)) {
      spec.addOption(
          OptionSpec.builder("--" + prefix + flag.word())
              .type(String.class)
              .arity("1")
              .paramLabel("<value>")
              .description(flag.description())
              .build());
    }
  }

  static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this text.").build());
  }

  /** What was given on the command line, without dashes and prefix. */
  static Map<String, String> given(CommandLine line, String prefix) {
    var flags = new HashMap<String, String>();
    for (var option : line.getParseResult().matchedOptions()) {
      if (option.longestName().startsWith("--" + prefix)
          && option.getValue() instanceof String value) {
        flags.put(option.longestName().substring(2 + prefix.length()), value);
      }
    }
    return flags;
  }
}

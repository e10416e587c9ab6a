// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import io.krypton.agent.gate.config.GateFlag;
import io.krypton.agent.gate.config.GateSettings.GateMode;
import java.util.HashMap;
import java.util.Map;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The flags of the gate as options of a command, with a prefix if other flags are there, too. */
public final class GateOptions {
  private GateOptions() {}

  public static void addTo(CommandSpec spec, GateMode mode, String prefix) {
    // As in kube-apiserver: the last one counts.
    spec.parser().overwrittenOptionsAllowed(true);
    for (var flag : GateFlag.of(mode)) {
      spec.addOption(option(flag, prefix + flag.flagName()).build());
      if (flag.isOfKubeApiServer()) {
        // kube-apiserver takes underscores for dashes.
        spec.addOption(
            option(flag, prefix + flag.flagName().replace('-', '_')).hidden(true).build());
      }
    }
  }

  private static OptionSpec.Builder option(GateFlag flag, String name) {
    return OptionSpec.builder("--" + name)
        .type(String.class)
        .arity(flag.isBoolean() ? "0..1" : "1")
        .fallbackValue(flag.isBoolean() ? "true" : "")
        .paramLabel("<value>")
        .description(flag.description());
  }

  public static void addHelp(CommandSpec spec) {
    spec.addOption(
        OptionSpec.builder("-h", "--help").usageHelp(true).description("Shows this text.").build());
  }

  /** What was given on the command line, without dashes and prefix. */
  public static Map<String, String> matchedFlags(CommandLine line, String prefix) {
    var flags = new HashMap<String, String>();
    for (var option : line.getParseResult().matchedOptions()) {
      if (option.longestName().startsWith("--" + prefix)
          && option.getValue() instanceof String value) {
        flags.put(option.longestName().substring(2 + prefix.length()).replace('_', '-'), value);
      }
    }
    return flags;
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import io.krypton.cli.operator.OperatorCommand;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** Turns the commands as they are parsed into a page for people. */
final class FlagReference {
  private static final String HEAD =
      """
      # Commands and flags

      Made from the commands themselves; a test keeps it so. Every flag of `krypton operator` is also a variable, `KRYPTON_` and the flag in upper case
      with `_` for `-`, and a key of the file that `--config` names. An explicit flag wins over a variable, a variable over the file.
      """;

  private FlagReference() {}

  static String page(CommandLine root) {
    var page = new StringBuilder(HEAD);
    describe(root, page);
    return page.toString();
  }

  private static void describe(CommandLine command, StringBuilder page) {
    var spec = command.getCommandSpec();
    if (spec.usageMessage().hidden()) {
      return;
    }
    page.append("\n## ").append(spec.qualifiedName()).append("\n\n");
    page.append(String.join(" ", spec.usageMessage().description()).strip()).append('\n');
    var options = spec.options().stream().filter(FlagReference::isTold).toList();
    if (!options.isEmpty()) {
      page.append("\n| Flag | Meaning | Default |\n|---|---|---|\n");
      options.forEach(option -> page.append(row(spec, option)));
    }
    new LinkedHashSet<>(command.getSubcommands().values()).forEach(sub -> describe(sub, page));
  }

  private static boolean isTold(OptionSpec option) {
    return !option.hidden() && !option.usageHelp() && !option.versionHelp();
  }

  private static String row(CommandSpec command, OptionSpec option) {
    var names =
        List.of(option.names()).stream().map(FlagReference::code).collect(Collectors.joining(", "));
    var meaning = String.join(" ", option.description()).replace("|", "\\|").strip();
    return "| %s | %s%s | %s |%n"
        .formatted(names, meaning, older(command, option), shown(option.defaultValueString()));
  }

  private static String older(CommandSpec command, OptionSpec option) {
    var variables =
        command.name().equals("operator")
            ? Stream.of(option.names())
                .flatMap(
                    name -> OperatorCommand.olderVariables(name.replaceFirst("^--", "")).stream())
                .toList()
            : List.<String>of();
    return variables.isEmpty()
        ? ""
        : " Older variables: %s."
            .formatted(
                variables.stream().map(FlagReference::code).collect(Collectors.joining(", ")));
  }

  private static String shown(@Nullable String value) {
    return value == null || value.isEmpty() || value.equals("null")
        ? ""
        : code(value.startsWith("PT") ? value.substring(2).toLowerCase(Locale.ROOT) : value);
  }

  private static String code(String text) {
    return "`" + text.replace("|", "\\|") + "`";
  }
}

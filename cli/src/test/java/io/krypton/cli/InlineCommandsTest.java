// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/**
 * Commands and flags that the pages name in passing exist. What stands in blocks is run by the
 * end-to-end tests instead.
 */
class InlineCommandsTest {
  private static final Path ROOT = Path.of("..");
  private static final Pattern BLOCK = Pattern.compile("(?ms)^```.*?^```$");

  /** Rows about mistakes are typed by a test of their own. */
  private static final Pattern MISTAKE = Pattern.compile("(?m)^\\| `krypton [^`]+` \\| \\d \\|.*$");

  private static final Pattern SPAN = Pattern.compile("`([^`\n]+)`");
  private static final Set<String> FLAGS_OF_OTHERS = Set.of("--take-ownership");

  private static List<Path> pages() throws IOException {
    try (var docs = Files.list(ROOT.resolve("docs"));
        var examples = Files.walk(ROOT.resolve("examples"))) {
      return Stream.concat(
              Stream.of(ROOT.resolve("README.md"), ROOT.resolve("CONTRIBUTING.md")),
              Stream.concat(docs, examples))
          .filter(file -> file.toString().endsWith(".md"))
          .toList();
    }
  }

  private static List<String> spans(Path page) throws IOException {
    var prose = BLOCK.matcher(Files.readString(page)).replaceAll("");
    return SPAN.matcher(MISTAKE.matcher(prose).replaceAll(""))
        .results()
        .map(found -> found.group(1))
        .toList();
  }

  @Test
  void every_krypton_command_that_is_named_exists_with_its_flags() throws IOException {
    for (var page : pages()) {
      for (var span : spans(page)) {
        var words = span.replaceFirst("^(dist/bin/|kubectl )", "").split(" ");
        if (words[0].equals("krypton") && words.length > 1 && isConcrete(words[1])) {
          assertThat(unknown(words)).as("%s: %s", page, span).isEmpty();
        }
      }
    }
  }

  @Test
  void every_flag_that_is_named_belongs_to_a_command() throws IOException {
    var known = new HashSet<>(FLAGS_OF_OTHERS);
    collectFlags(Main.commandLine(), known);
    for (var page : pages()) {
      assertThat(spans(page))
          .filteredOn(span -> span.matches("--[a-z][a-z-]*[a-z](=\\S*)?"))
          .as(page.toString())
          .allMatch(span -> known.contains(span.split("=", 2)[0]));
    }
  }

  @Test
  void every_make_target_that_is_named_exists() throws IOException {
    var makefile = Files.readString(ROOT.resolve("Makefile"));
    for (var page : pages()) {
      assertThat(spans(page))
          .filteredOn(span -> span.matches("make [a-z-]+"))
          .as(page.toString())
          .allMatch(span -> makefile.contains("\n" + span.substring("make ".length()) + ":"));
    }
  }

  private static boolean isConcrete(String word) {
    return word.matches("[a-z][a-z-]*");
  }

  private static List<String> unknown(String... words) {
    var command = Main.commandLine();
    var unknown = new ArrayList<String>();
    for (var word : Arrays.copyOfRange(words, 1, words.length)) {
      if (word.startsWith("-")) {
        if (!flags(command).contains(word.split("=", 2)[0])) {
          unknown.add(word);
        }
      } else if (command.getSubcommands().containsKey(word)) {
        command = command.getSubcommands().get(word);
      } else if (!command.getSubcommands().isEmpty()) {
        unknown.add(word);
      }
    }
    return unknown;
  }

  private static Set<String> flags(CommandLine command) {
    var flags = new HashSet<String>();
    command.getCommandSpec().options().forEach(option -> flags.addAll(names(option)));
    return flags;
  }

  private static void collectFlags(CommandLine command, Set<String> flags) {
    flags.addAll(flags(command));
    command.getSubcommands().values().forEach(sub -> collectFlags(sub, flags));
  }

  private static List<String> names(CommandLine.Model.OptionSpec option) {
    return Stream.of(option.names())
        .flatMap(
            name ->
                option.negatable()
                    ? Stream.of(name, name.replaceFirst("^--", "--no-"))
                    : Stream.of(name))
        .toList();
  }
}

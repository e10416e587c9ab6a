// SPDX-License-Identifier: Apache-2.0
package io.krypton.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import picocli.CommandLine;

/** Commands at a prompt, without a cluster. */
class SubcommandsTest {
  /** What one command line answered. */
  private record Answer(int exit, String out, String err) {}

  private static Answer run(String... arguments) {
    var out = new StringWriter();
    var err = new StringWriter();
    var exit =
        Main.commandLine()
            .setOut(new PrintWriter(out))
            .setErr(new PrintWriter(err))
            .execute(arguments);
    return new Answer(exit, out.toString(), err.toString());
  }

  @ParameterizedTest
  @EnumSource
  void who_calls_one_command_creates_no_other(Subcommands called) {
    var line = Main.commandLineFor(called.commandName());

    assertThat(line.getSubcommands())
        .hasSameSizeAs(Subcommands.values())
        .allSatisfy(
            (name, command) ->
                assertThat(isWhole(command))
                    .as(name)
                    .isEqualTo(name.equals(called.commandName()) || tellsOfAll(called)));
  }

  private static boolean isWhole(CommandLine command) {
    return !(command.getCommandSpec().userObject() == null);
  }

  private static boolean tellsOfAll(Subcommands called) {
    return called == Subcommands.HELP || called == Subcommands.COMPLETION;
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_NONE, names = "HELP|COMPLETION")
  void the_help_of_a_command_is_that_of_the_whole_tree(Subcommands called) {
    var whole = Main.commandLine().getSubcommands().get(called.commandName());

    assertThat(Main.commandLineFor(called.commandName()).getSubcommands().get(called.commandName()))
        .extracting(CommandLine::getUsageMessage)
        .isEqualTo(Objects.requireNonNull(whole).getUsageMessage());
  }

  @Test
  void the_list_of_commands_says_what_each_says_itself() {
    assertThat(Main.commandLineFor("").getUsageMessage())
        .isEqualTo(Main.commandLine().getUsageMessage());
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.MATCH_ANY, names = "STATUS|CLUSTERS|TENANTS|KMS|EXPLAIN|PLAN")
  void commands_for_people_tell_their_exit_codes(Subcommands called) {
    var command = called.commandName();

    assertThat(called.isInteractive()).isTrue();
    assertThat(run(command, "--help").out()).contains("Usage: krypton " + command, "Exit codes:");
  }

  @Test
  void bad_usage_is_one_line_and_exit_code_2() {
    assertThat(run("tenants", "--nonsense"))
        .isEqualTo(
            new Answer(
                2,
                "",
                "krypton tenants: Unknown option: '--nonsense'\nTry 'krypton tenants --help'.\n"));
    assertThat(run("explain", "pod/x"))
        .isEqualTo(
            new Answer(
                2,
                "",
                "krypton explain: unknown type 'pod'; write tenant/NAME or"
                    + " kryptondeployment/NAME\n"));
    assertThat(run("tenants", "--kubeconfig", "/nope").err())
        .isEqualTo(
            "krypton tenants: --kubeconfig /nope does not exist; name a kubeconfig file with"
                + " --kubeconfig\n");
    assertThat(run("plan", "--chart-repo", "ftp://x").err())
        .startsWith("krypton plan: --chart-repo 'ftp://x': give https://");
  }

  @ParameterizedTest
  @CsvSource({
    "stauts, status",
    "tenant, tenants",
    "explian, explain",
    "cluster, clusters",
    "opertor, operator",
  })
  void a_mistyped_command_is_told_what_was_probably_meant(String typed, String meant) {
    assertThat(run(typed, "-n", "x"))
        .isEqualTo(
            new Answer(
                2,
                "",
                "krypton: unknown command '%s'; did you mean '%s'?\nTry 'krypton --help'.\n"
                    .formatted(typed, meant)));
  }

  @Test
  void what_resembles_nothing_is_only_refused() {
    assertThat(run("frobnicate").err()).startsWith("krypton: unknown command 'frobnicate'\n");
    assertThat(run("operator", "--chart-nmae=x").err())
        .startsWith(
            "krypton operator: Unknown option: '--chart-nmae=x'; did you mean '--chart-name'?");
    assertThat(run("explain", "tenat/x").err()).contains("'tenat'; did you mean 'tenant'?; write");
  }

  @Test
  void every_command_is_described_by_whole_sentences() {
    assertThat(all(Main.commandLine()))
        .filteredOn(command -> !command.getCommandSpec().usageMessage().hidden())
        .hasSizeGreaterThan(20)
        .allSatisfy(
            command ->
                assertThat(shownInLists(command))
                    .as(command.getCommandSpec().qualifiedName())
                    .endsWith("."));
  }

  private static String shownInLists(CommandLine command) {
    var usage = command.getCommandSpec().usageMessage();
    return usage.header().length > 0 ? usage.header()[0] : usage.description()[0];
  }

  private static List<CommandLine> all(CommandLine command) {
    var commands = new ArrayList<CommandLine>();
    commands.add(command);
    command.getSubcommands().values().forEach(each -> commands.addAll(all(each)));
    return commands;
  }

  @Test
  void completion_knows_all_commands() {
    assertThat(run("completion", "bash").out()).contains("status", "reconcile", "--all-namespaces");
    assertThat(run("completion", "zsh").out()).startsWith("autoload -U +X compinit");
    assertThat(run("completion", "fish").exit()).isEqualTo(2);
  }

  @Test
  void help_writes_durations_as_flags_take_them() {
    assertThat(run("operator", "--help").out())
        .contains("Default: 60s", "Default: 180s", "Default: 15s")
        .doesNotContain("PT1M", "PT15S", "PT3M");
  }
}

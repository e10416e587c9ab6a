// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.gate;

import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.agent.gate.config.GateSettings.GateMode;
import java.util.Map;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;

/** Lines of an API server's manifest, as the gate reads them. */
class GateOptionsTest {
  private static final String RELOAD = "encryption-provider-config-automatic-reload";

  @Test
  void a_bool_flag_without_a_value_is_true() {
    assertThat(given("--" + RELOAD, "--encryption-provider-config=/c"))
        .containsExactlyInAnyOrderEntriesOf(
            Map.of(RELOAD, "true", "encryption-provider-config", "/c"));
  }

  @Test
  void a_bool_flag_may_have_a_value() {
    assertThat(given("--" + RELOAD + "=false")).containsExactly(Map.entry(RELOAD, "false"));
  }

  @Test
  void underscores_count_as_dashes() {
    assertThat(given("--encryption_provider_config=/c"))
        .containsExactly(Map.entry("encryption-provider-config", "/c"));
    assertThat(given("--" + RELOAD.replace('-', '_'))).containsExactly(Map.entry(RELOAD, "true"));
  }

  @Test
  void the_last_of_two_counts() {
    assertThat(given("--" + RELOAD + "=false", "--" + RELOAD + "=true"))
        .containsExactly(Map.entry(RELOAD, "true"));
  }

  @Test
  void a_flag_of_ours_keeps_its_prefix_out_of_the_name() {
    assertThat(givenWith("gate-", "--gate-" + RELOAD)).containsExactly(Map.entry(RELOAD, "true"));
  }

  @Test
  void the_spellings_with_underscores_are_not_in_the_help() {
    assertThat(line("").getUsageMessage()).doesNotContain("encryption_provider_config");
  }

  private static Map<String, String> given(String... arguments) {
    return givenWith("", arguments);
  }

  private static Map<String, String> givenWith(String prefix, String... arguments) {
    var line = line(prefix);
    line.parseArgs(arguments);
    return GateOptions.matchedFlags(line, prefix);
  }

  private static CommandLine line(String prefix) {
    var spec = CommandSpec.create();
    GateOptions.addTo(spec, GateMode.SERVE, prefix);
    return new CommandLine(spec);
  }
}

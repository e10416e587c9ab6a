// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.settings.SettingValue.Layer;
import java.util.ArrayList;
import java.util.Map;
import org.junit.jupiter.api.Test;

class SettingSourcesTest {
  private static final Setting NAMESPACE =
      Setting.named("namespace")
          .withDefault("default")
          .withAliases("ns")
          .orVariables("WATCH_NAMESPACE", "POD_NAMESPACE");
  private static final Map<String, String> NOTHING = Map.of();
  private static final Map<String, String> IN_FILE = Map.of("namespace", "from-file");

  @Test
  void a_flag_beats_the_environment_which_beats_the_file_which_beats_the_default() {
    var environment = Map.of("KRYPTON_NAMESPACE", "from-env");

    assertThat(found(Map.of("namespace", "from-flag"), environment, IN_FILE))
        .isEqualTo("from-flag");
    assertThat(found(NOTHING, environment, IN_FILE)).isEqualTo("from-env");
    assertThat(found(NOTHING, NOTHING, IN_FILE)).isEqualTo("from-file");
    assertThat(found(NOTHING, NOTHING, NOTHING)).isEqualTo("default");
  }

  @Test
  void our_variable_wins_over_older_ones_in_their_order() {
    assertThat(
            found(
                NOTHING, Map.of("KRYPTON_NAMESPACE", "ours", "WATCH_NAMESPACE", "older"), IN_FILE))
        .isEqualTo("ours");
    assertThat(
            found(NOTHING, Map.of("WATCH_NAMESPACE", "older", "POD_NAMESPACE", "oldest"), IN_FILE))
        .isEqualTo("older");
    assertThat(found(NOTHING, Map.of("POD_NAMESPACE", "oldest"), IN_FILE)).isEqualTo("oldest");
  }

  @Test
  void an_earlier_name_works_everywhere() {
    assertThat(found(Map.of("ns", "x"), NOTHING, NOTHING)).isEqualTo("x");
    assertThat(found(NOTHING, Map.of("KRYPTON_NS", "x"), NOTHING)).isEqualTo("x");
    assertThat(found(NOTHING, NOTHING, Map.of("ns", "x"))).isEqualTo("x");
    assertThat(sources(NOTHING, NOTHING, NOTHING).variablesOf(NAMESPACE))
        .containsExactly("KRYPTON_NAMESPACE", "KRYPTON_NS", "WATCH_NAMESPACE", "POD_NAMESPACE");
  }

  @Test
  void an_empty_variable_counts_as_absent_and_an_empty_flag_as_a_value() {
    var empty = Map.of("KRYPTON_NAMESPACE", "");

    assertThat(found(NOTHING, empty, IN_FILE)).isEqualTo("from-file");
    assertThat(found(Map.of("namespace", ""), empty, IN_FILE)).isEmpty();
  }

  @Test
  void a_variable_of_no_use_can_be_told_and_skipped() {
    var skipped = new ArrayList<String>();
    var environment = Map.of("KRYPTON_NAMESPACE", "!", "POD_NAMESPACE", "pod");

    var value =
        sources(NOTHING, environment, IN_FILE)
            .find(NAMESPACE, text -> text.matches("[a-z]+"), it -> skipped.add(it.source()));

    assertThat(value)
        .isEqualTo(new SettingValue(NAMESPACE, "pod", Layer.VARIABLE, "POD_NAMESPACE"));
    assertThat(skipped).containsExactly("KRYPTON_NAMESPACE");
  }

  @Test
  void only_what_was_given_is_found_where_the_default_is_somebody_elses() {
    assertThat(sources(NOTHING, NOTHING, NOTHING).given(NAMESPACE, _ -> true, _ -> {})).isEmpty();
    assertThat(sources(NOTHING, NOTHING, IN_FILE).given(NAMESPACE, _ -> true, _ -> {}))
        .hasValueSatisfying(it -> assertThat(it.layer()).isEqualTo(Layer.FILE));
  }

  @Test
  void a_setting_is_named_as_flags_are() {
    assertThat(NAMESPACE.flag()).isEqualTo("--namespace");
    assertThatThrownBy(() -> Setting.named("--namespace"))
        .isInstanceOf(IllegalArgumentException.class);
  }

  private static String found(
      Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
    return sources(flags, environment, file).find(NAMESPACE).text();
  }

  private static SettingSources sources(
      Map<String, String> flags, Map<String, String> environment, Map<String, String> file) {
    return new SettingSources(
        "KRYPTON_", flags, environment, new SettingsFile("--config \"f\"", file));
  }
}

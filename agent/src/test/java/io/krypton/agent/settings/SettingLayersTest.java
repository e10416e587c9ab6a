package io.krypton.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class SettingLayersTest {
  private static final Map<String, String> NONE = Map.of();

  @Test
  void a_flag_beats_the_environment_which_beats_the_file() {
    var file = Map.of("read-timeout", "3s");
    var environment = Map.of("KRYPTON_READ_TIMEOUT", "2s");
    var flags = Map.of("read-timeout", "1s");

    assertThat(new SettingLayers(flags, environment, file).find("read-timeout")).contains("1s");
    assertThat(new SettingLayers(NONE, environment, file).find("read-timeout")).contains("2s");
    assertThat(new SettingLayers(NONE, NONE, file).find("read-timeout")).contains("3s");
    assertThat(new SettingLayers(NONE, NONE, NONE).find("read-timeout")).isEmpty();
  }

  @Test
  void an_empty_variable_counts_as_absent_and_an_empty_flag_as_a_value() {
    var environment = Map.of("KRYPTON_KUBECONFIG", "");
    var file = Map.of("kubeconfig", "/k");

    assertThat(new SettingLayers(NONE, environment, file).find("kubeconfig")).contains("/k");
    assertThat(new SettingLayers(Map.of("kubeconfig", ""), NONE, file).find("kubeconfig"))
        .contains("");
  }

  @Test
  void another_variable_is_asked_after_the_regular_one_and_before_the_file() {
    var both = Map.of("NODE_NAME", "a", "KRYPTON_NODE_NAME", "b");
    var file = Map.of("node-name", "c");

    assertThat(new SettingLayers(NONE, both, file).find("node-name", "NODE_NAME")).contains("b");
    assertThat(
            new SettingLayers(NONE, Map.of("NODE_NAME", "a"), file).find("node-name", "NODE_NAME"))
        .contains("a");
  }

  @Test
  void a_list_in_the_file_becomes_the_comma_list_of_the_flag() {
    var file =
        YamlSettingsFile.parse(
            "f", "kms-sockets: [a, b]\ninterval: 30s\nlisten: 0\ntarget:\n", known());

    assertThat(file.errors()).isEmpty();
    assertThat(file.values())
        .containsEntry("kms-sockets", "a,b")
        .containsEntry("interval", "30s")
        .containsEntry("listen", "0")
        .doesNotContainKey("target");
  }

  @Test
  void every_wrong_key_of_the_file_is_named() {
    var file = YamlSettingsFile.parse("f", "intervall: 1s\ninterval: {a: b}\n", known());

    assertThat(file.errors())
        .containsExactly(
            "--config \"f\": \"intervall\" is not a setting",
            "--config \"f\": \"interval\" must be a plain value or a list of them");
  }

  @Test
  void a_file_that_is_no_mapping_or_no_yaml_or_not_there_is_one_error_without_its_content() {
    assertThat(YamlSettingsFile.parse("f", "- 1", known()).errors())
        .containsExactly("--config \"f\" must be a mapping of flag names to values");
    assertThat(YamlSettingsFile.parse("f", "interval: 1s\ninterval: 2s", known()).errors())
        .containsExactly("--config \"f\" is not valid YAML at line 2");
    assertThat(YamlSettingsFile.read("/does/not/exist", known()).errors())
        .containsExactly("--config \"/does/not/exist\" cannot be read: NoSuchFileException");
  }

  private static Set<String> known() {
    return Set.of("kms-sockets", "interval", "listen", "target");
  }
}

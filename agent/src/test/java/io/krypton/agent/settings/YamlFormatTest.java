// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.settings.SettingsException;
import io.krypton.base.settings.SettingsFile;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class YamlFormatTest {
  @TempDir Path directory;

  @Test
  void a_list_in_the_file_becomes_the_comma_list_of_the_flag() throws Exception {
    assertThat(read("kms-sockets: [a, b]\ninterval: 30s\nlisten: 0\ntarget:\n").values())
        .containsEntry("kms-sockets", "a,b")
        .containsEntry("interval", "30s")
        .containsEntry("listen", "0")
        .doesNotContainKey("target");
    assertThat(read("").values()).isEmpty();
    assertThat(read("# nothing\n").values()).isEmpty();
  }

  @Test
  void a_file_that_is_no_mapping_or_no_yaml_is_one_error_without_its_content() {
    assertError("- 1", "must be a mapping of flag names to values");
    assertError("interval: 1s\ninterval: 2s", "is not valid YAML at line 2");
    assertError("a: [", "is not valid YAML at line");
    assertError("interval: {a: b}", ": \"interval\" must be a plain value or a list of them");
    assertError("listen: [[a]]", ": \"listen\" must be a plain value or a list of them");
  }

  private void assertError(String yaml, String error) {
    assertThatThrownBy(() -> read(yaml))
        .isInstanceOf(SettingsException.class)
        .hasMessageStartingWith("--config \"")
        .hasMessageContaining(error);
  }

  private SettingsFile read(String yaml) throws IOException, SettingsException {
    var file = Files.writeString(directory.resolve("settings.yaml"), yaml);
    return SettingsFile.read("--config", file.toString(), new YamlFormat());
  }
}

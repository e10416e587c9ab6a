// SPDX-License-Identifier: Apache-2.0
package io.krypton.base.settings;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.krypton.base.settings.SettingsFile.Format;
import io.krypton.base.settings.SettingsFile.FormatException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SettingsFileTest {
  @TempDir Path directory;

  @Test
  void a_list_becomes_the_comma_list_of_the_flag_and_null_counts_as_absent() throws Exception {
    var document = new LinkedHashMap<String, Object>();
    document.put("kms-sockets", List.of("a", "b"));
    document.put("interval", "30s");
    document.put("listen", 0);
    document.put("reload", true);
    document.put("target", null);

    assertThat(read(_ -> document).values())
        .containsOnly(
            Map.entry("kms-sockets", "a,b"),
            Map.entry("interval", "30s"),
            Map.entry("listen", "0"),
            Map.entry("reload", "true"));
  }

  @Test
  void an_empty_file_sets_nothing() throws Exception {
    assertThat(read(_ -> null).values()).isEmpty();
  }

  @Test
  void every_value_that_no_flag_can_have_is_named() {
    var document = new LinkedHashMap<String, Object>();
    document.put("interval", Map.of("a", "b"));
    document.put("kms-sockets", new ArrayList<>(Arrays.asList("a", null)));
    document.put("listen", List.of(List.of()));

    assertThatThrownBy(() -> read(_ -> document))
        .isInstanceOfSatisfying(
            SettingsException.class,
            it ->
                assertThat(it.errors())
                    .hasSize(3)
                    .allMatch(error -> error.startsWith("--config \"" + file() + "\": "))
                    .allMatch(error -> error.endsWith("must be a plain value or a list of them")));
  }

  @Test
  void a_file_of_no_use_is_one_error_without_its_content() {
    assertThatThrownBy(() -> read(_ -> List.of("secret")))
        .hasMessage("--config \"%s\" must be a mapping of flag names to values", file());
    assertThatThrownBy(
            () ->
                read(
                    _ -> {
                      throw new FormatException("YAML", 2);
                    }))
        .hasMessage("--config \"%s\" is not valid YAML at line 2", file());
    assertThatThrownBy(() -> SettingsFile.read("--config", "/does/not/exist", _ -> null))
        .hasMessage("--config \"/does/not/exist\" cannot be read: NoSuchFileException");
    assertThatThrownBy(() -> SettingsFile.read("--config", "\0", _ -> null))
        .hasMessageEndingWith("cannot be read: InvalidPathException");
  }

  @Test
  void a_file_that_nobody_can_mean_is_not_read() throws IOException {
    Files.write(file(), new byte[(1 << 20) + 1]);

    assertThatThrownBy(() -> SettingsFile.read("--config", file().toString(), _ -> Map.of()))
        .hasMessage("--config \"%s\" is larger than 1 MiB", file());
  }

  @Test
  void a_file_is_named_by_an_argument_or_a_variable() {
    var environment = Map.of("KRYPTON_CONFIG", "e");

    assertThat(named(List.of("operator", "--config=f"), environment)).contains("f");
    assertThat(named(List.of("--config", "f"), environment)).contains("f");
    assertThat(named(List.of("--config"), environment)).contains("e");
    assertThat(named(List.of(), Map.of("KRYPTON_CONFIG", ""))).isEmpty();
  }

  private static Optional<String> named(List<String> arguments, Map<String, String> environment) {
    return SettingsFile.named("--config", "KRYPTON_CONFIG", arguments, environment);
  }

  private SettingsFile read(Format format) throws IOException, SettingsException {
    Files.writeString(file(), "text of the format");
    return SettingsFile.read("--config", file().toString(), format);
  }

  private Path file() {
    return directory.resolve("f");
  }
}

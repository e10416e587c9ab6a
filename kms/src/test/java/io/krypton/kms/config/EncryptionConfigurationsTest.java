// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.config;

import static io.krypton.kms.config.ConfigurationCase.kms;
import static io.krypton.kms.config.ConfigurationCase.resources;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.config.ReadOptions.KmsV1Policy;
import io.krypton.kms.config.ReadResult.Invalid;
import io.krypton.kms.config.ReadResult.Loaded;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class EncryptionConfigurationsTest {
  private static final ReadOptions WARN = new ReadOptions(false, KmsV1Policy.WARN);

  static List<ConfigurationCase> cases() {
    return ConfigurationCase.all();
  }

  @ParameterizedTest
  @MethodSource("cases")
  void a_file_gets_the_decision_and_the_text_of_the_table(ConfigurationCase row) {
    var result = EncryptionConfigurations.read("/etc/enc.yaml", row.bytes(), row.options());

    var text = result instanceof Invalid invalid ? invalid.text() : "";
    assertThat(text).isEqualTo(row.textFor("/etc/enc.yaml"));
  }

  @Test
  void the_names_of_the_table_are_unique() {
    var byName = cases().stream().collect(Collectors.groupingBy(ConfigurationCase::name));

    assertThat(byName).allSatisfy((name, rows) -> assertThat(rows).hasSize(1));
    assertThat(byName).hasSizeGreaterThan(150);
  }

  @Test
  void a_missing_file_is_invalid(@TempDir Path directory) {
    var path = directory.resolve("none.yaml");

    assertThat(EncryptionConfigurations.read(path, ReadOptions.DEFAULT))
        .isEqualTo(
            new Invalid(
                ("error while parsing file: error while loading file: error reading encryption"
                        + " provider configuration file \"%s\": open %s: no such file or directory")
                    .formatted(path, path),
                "",
                ""));
  }

  @Test
  void a_directory_is_invalid(@TempDir Path directory) {
    assertThat(EncryptionConfigurations.read(directory, ReadOptions.DEFAULT))
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid ->
                assertThat(invalid.text()).endsWith(": read " + directory + ": is a directory"));
  }

  @Test
  void the_hash_is_of_the_raw_bytes(@TempDir Path directory) throws IOException {
    var path = Files.writeString(directory.resolve("enc.yaml"), "abc");

    assertThat(EncryptionConfigurations.read(path, ReadOptions.DEFAULT).contentHash())
        .isEqualTo("sha256:ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void a_denied_v1_provider_comes_with_a_hint() {
    assertThat(read(kms("name: a, endpoint: 'unix:///a'"), ReadOptions.DEFAULT))
        .isInstanceOfSatisfying(
            Invalid.class,
            invalid ->
                assertThat(invalid.hint())
                    .isEqualTo(
                        "set --kms-v1=allow if the API server runs with"
                            + " --feature-gates=KMSv1=true"));
  }

  @Test
  void a_tolerated_v1_provider_comes_with_a_warning() {
    assertThat(read(kms("name: a, endpoint: 'unix:///a'"), WARN))
        .isInstanceOfSatisfying(
            Loaded.class,
            loaded ->
                assertThat(loaded.configuration().kmsProviders().getFirst().warnings())
                    .containsExactly("KMS v1 is deprecated: move to a plugin that speaks v2"));
  }

  @Test
  void further_documents_are_a_warning() {
    assertThat(read(resources("[secrets]") + "---\nmore: [", ReadOptions.DEFAULT))
        .isInstanceOfSatisfying(
            Loaded.class,
            loaded ->
                assertThat(loaded.warnings())
                    .containsExactly(
                        "the file holds more than one YAML document, only the first one is read"));
  }

  @Test
  void a_file_without_kms_has_no_providers_and_no_warnings() {
    assertThat(read(resources("[secrets]") + "...\n# the end\n", ReadOptions.DEFAULT))
        .isInstanceOfSatisfying(
            Loaded.class,
            loaded -> {
              assertThat(loaded.configuration().kmsProviders()).isEmpty();
              assertThat(loaded.warnings()).isEmpty();
            });
  }

  private static ReadResult read(String content, ReadOptions options) {
    return EncryptionConfigurations.read("enc.yaml", content.getBytes(UTF_8), options);
  }
}

// SPDX-License-Identifier: Apache-2.0
package io.krypton.kms.probe;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.krypton.kms.probe.CanaryStore.Canary;
import io.krypton.kms.rpc.KmsApiVersion;
import io.krypton.kms.rpc.KmsClient.EncryptedSample;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileCanaryStoreTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final byte[] PLAINTEXT = "the plaintext".getBytes(UTF_8);

  @TempDir Path directory;

  @Test
  void a_canary_survives_the_process() {
    var sample = new EncryptedSample("key-1", new byte[] {1, 2}, Map.of("a.b", new byte[] {3}));
    canaries("prov/a b").keep(sample, PLAINTEXT, NOW);

    var again = canaries("prov/a b").selectForProbe("key-1").getFirst();
    assertThat(again.matches(PLAINTEXT)).isTrue();
    assertThat(again.matches(new byte[0])).isFalse();
    assertThat(again.keyId()).isEqualTo("key-1");
    assertThat(again.sample().ciphertext()).containsExactly(1, 2);
    assertThat(again.sample().annotations().get("a.b")).containsExactly(3);
    assertThat(again.createdAt()).isEqualTo(NOW);
    assertThat(canaries("another").selectForProbe("key-1")).isEmpty();
  }

  @Test
  void only_the_owner_may_read_the_file_and_it_does_not_hold_the_plaintext() throws IOException {
    canaries("p").keep(sample("key-1"), PLAINTEXT, NOW);
    var file = onlyFile();
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(Files.readString(file)).doesNotContain("plaintext\"").doesNotContain("dGhlIHBs");
  }

  @Test
  void one_canary_per_key_is_kept_and_the_first_one_stays() {
    var pluginCanaries = canaries("p");
    pluginCanaries.keep(sample("key-1"), PLAINTEXT, NOW);
    pluginCanaries.keep(sample("key-1"), new byte[1], NOW.plusSeconds(1));
    assertThat(pluginCanaries.selectForProbe("key-1"))
        .singleElement()
        .satisfies(canary -> assertThat(canary.matches(PLAINTEXT)).isTrue());
  }

  @Test
  void the_current_key_and_three_older_ones_are_tried_and_sixteen_are_kept() {
    var pluginCanaries = canaries("p");
    for (int i = 0; i < 20; i++) {
      pluginCanaries.keep(sample("key-" + i), PLAINTEXT, NOW.plusSeconds(i));
    }
    var after = canaries("p");
    assertThat(after.selectForProbe("key-10"))
        .extracting(Canary::keyId)
        .containsExactly("key-10", "key-19", "key-18", "key-17");
    assertThat(after.selectForProbe("key-4")).extracting(Canary::keyId).contains("key-4");
    assertThat(after.selectForProbe("key-3")).extracting(Canary::keyId).doesNotContain("key-3");
  }

  @Test
  void a_broken_or_foreign_file_is_ignored_and_replaced() throws IOException {
    canaries("p").keep(sample("key-1"), PLAINTEXT, NOW);
    for (var content : List.of("", "{", "[{}]", "[{\"apiVersion\":\"v2\"}]", "null")) {
      Files.writeString(onlyFile(), content);
      assertThat(canaries("p").selectForProbe("key-1")).isEmpty();
    }
    canaries("p").keep(sample("key-1"), PLAINTEXT, NOW);
    assertThat(canaries("p").selectForProbe("key-1")).hasSize(1);
  }

  @Test
  void a_directory_that_cannot_be_written_costs_the_canary_and_nothing_else() throws IOException {
    var file = Files.writeString(directory.resolve("file"), "x");
    var pluginCanaries =
        new PluginCanaries("p", KmsApiVersion.V2, new FileCanaryStore(file.resolve("sub")));
    pluginCanaries.keep(sample("key-1"), PLAINTEXT, NOW);
    assertThat(pluginCanaries.selectForProbe("key-1")).hasSize(1);
  }

  private PluginCanaries canaries(String plugin) {
    return new PluginCanaries(
        plugin, KmsApiVersion.V2, new FileCanaryStore(directory.resolve("canaries")));
  }

  private Path onlyFile() throws IOException {
    try (var files = Files.list(directory.resolve("canaries"))) {
      return files.toList().getFirst();
    }
  }

  private static EncryptedSample sample(String keyId) {
    return new EncryptedSample(keyId, new byte[] {9}, Map.of());
  }
}

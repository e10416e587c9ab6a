// SPDX-License-Identifier: Apache-2.0
package io.krypton.agent.reporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.agent.lab.LogLines;
import io.krypton.agent.reporter.config.ReporterSettings.PluginSocket;
import io.krypton.agent.reporter.publish.Samples;
import io.krypton.base.kmsreport.KeyId;
import io.krypton.base.kmsreport.ReportedRole;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProviderRoleWatcherTest {
  private static final Duration SOON = Duration.ofSeconds(30);
  private static final KeyId TWO = KeyId.of(2);
  private static final KeyId THREE = KeyId.of(3);
  private static final List<PluginSocket> SOCKETS =
      Samples.settings("kms-sockets", "2=unix:///run/kms-2.sock,3=unix:///run/kms-3.sock")
          .sockets();

  @TempDir Path directory;
  private final List<Map<KeyId, ReportedRole>> told = new CopyOnWriteArrayList<>();

  @Test
  void the_first_provider_writes_and_the_others_are_read() throws IOException {
    assertThat(rolesIn(entry("secrets", "kms-3", "kms-2")))
        .isEqualTo(Map.of(THREE, ReportedRole.WRITE, TWO, ReportedRole.READ));
  }

  @Test
  void a_plugin_that_is_not_named_has_no_role() throws IOException {
    assertThat(rolesIn(entry("secrets", "kms-2", "other")))
        .isEqualTo(Map.of(TWO, ReportedRole.WRITE));
  }

  @Test
  void behind_a_provider_of_another_kind_a_plugin_is_only_read() throws IOException {
    assertThat(
            rolesIn(
                """
                - resources: [secrets]
                  providers: [{identity: {}}, %s]
                """
                    .formatted(kms("a", "kms-2"))))
        .isEqualTo(Map.of(TWO, ReportedRole.READ));
  }

  @Test
  void a_plugin_that_writes_some_resource_is_a_writer() throws IOException {
    assertThat(rolesIn(entry("secrets", "kms-3", "kms-2") + entry("configmaps", "kms-2", "kms-3")))
        .isEqualTo(Map.of(THREE, ReportedRole.WRITE, TWO, ReportedRole.WRITE));
  }

  @Test
  void the_file_is_followed_and_a_broken_or_missing_one_is_a_state() throws IOException {
    var file = directory.resolve("enc.yaml");
    try (var log = LogLines.of("io.krypton.agent.reporter.ProviderRoleWatcher");
        var _ = new ProviderRoleWatcher(file, SOCKETS, Duration.ofMillis(200), told::add)) {
      assertThat(told).as("told before the constructor returns").containsExactly(Map.of());

      replace(file, configuration(entry("secrets", "kms-2", "kms-3")));
      await()
          .atMost(SOON)
          .until(
              () ->
                  told.getLast().equals(Map.of(TWO, ReportedRole.WRITE, THREE, ReportedRole.READ)));
      replace(file, configuration(entry("secrets", "kms-3", "kms-2")));
      await()
          .atMost(SOON)
          .until(
              () ->
                  told.getLast().equals(Map.of(THREE, ReportedRole.WRITE, TWO, ReportedRole.READ)));
      replace(file, "kind: Nonsense\n");
      await().atMost(SOON).until(() -> told.getLast().isEmpty());

      assertThat(told).hasSize(4);
      assertThat(log.texts())
          .hasSize(4)
          .filteredOn(line -> line.contains("reporting without roles"))
          .hasSize(2);
    }
  }

  private Map<KeyId, ReportedRole> rolesIn(String entries) throws IOException {
    var file = directory.resolve("enc.yaml");
    Files.writeString(file, configuration(entries));
    try (var _ = new ProviderRoleWatcher(file, SOCKETS, SOON, told::add)) {
      return told.getLast();
    }
  }

  private static void replace(Path file, String content) throws IOException {
    var fresh = file.resolveSibling("fresh");
    Files.writeString(fresh, content);
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
  }

  private static String configuration(String entries) {
    return """
        apiVersion: apiserver.config.k8s.io/v1
        kind: EncryptionConfiguration
        resources:
        %s"""
        .formatted(entries);
  }

  private static String entry(String resource, String first, String second) {
    return """
        - resources: [%s]
          providers: [%s, %s]
        """
        .formatted(resource, kms(resource + 1, first), kms(resource + 2, second));
  }

  private static String kms(String name, String socket) {
    return "{kms: {apiVersion: v2, name: %s, endpoint: \"unix:///run/%s.sock\"}}"
        .formatted(name, socket);
  }
}

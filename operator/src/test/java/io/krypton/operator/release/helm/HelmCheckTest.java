// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.helm.HelmSettings.EngineChoice;
import io.krypton.operator.release.helm.HelmSettings.Programs;
import io.krypton.operator.release.helm.MemoryPlan.Share;
import io.krypton.operator.release.helm.cli.CliEngine;
import io.krypton.operator.release.helm.cli.ScriptedHelm;
import io.krypton.operator.release.helm.process.HelmFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HelmCheckTest {
  private static final Duration LONG = Duration.ofSeconds(30);

  @Test
  void what_is_wrong_is_known_before_anybody_needs_helm_and_until_it_is_mended(
      @TempDir Path directory) throws IOException {
    var programs = Files.createDirectory(directory.resolve("programs"));
    var settings =
        HelmSettings.defaults(
            new Programs(EngineChoice.CLI, "helm", "none"),
            directory.resolve("data"),
            new MemoryPlan(new Share(8, 128), new Share(8, 128), 32),
            Map.of("PATH", programs + ":/usr/bin:/bin"));
    ScriptedHelm.in(programs, "v3.19.0", "");
    try (var files = new HelmFiles(settings.dataDir());
        var helm = new CliEngine(settings, files);
        var check = new HelmCheck(helm)) {
      check.start();
      await()
          .atMost(LONG)
          .untilAsserted(
              () -> assertThat(check.problem().orElseThrow()).contains("is not Helm 4", "v3.19.0"));

      ScriptedHelm.in(programs, "v4.3.1", "");

      await().atMost(LONG).untilAsserted(() -> assertThat(check.problem()).isEmpty());
      Files.delete(programs.resolve("helm"));
      assertThat(check.problem().orElseThrow()).contains("not there any more", "--helm-binary");
    }
  }
}

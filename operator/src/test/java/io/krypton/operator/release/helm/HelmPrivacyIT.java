// SPDX-License-Identifier: Apache-2.0
package io.krypton.operator.release.helm;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.krypton.operator.release.helm.HelmClient.HelmResult;
import io.krypton.operator.release.helm.HelmOperation.Install;
import io.krypton.operator.release.values.ChartValues;
import io.krypton.sandbox.junit.ControlPlaneExtension;
import io.krypton.sandbox.junit.ControlPlaneExtension.Cluster;
import io.krypton.sandbox.junit.TestNamespace;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

@ExtendWith(ControlPlaneExtension.class)
class HelmPrivacyIT {

  @Test
  void no_process_shows_values_or_credentials_and_no_file_keeps_them(
      @Cluster("helm") TestNamespace namespace, @TempDir Path directory) throws Exception {
    try (var helm = RealHelm.in(namespace, directory)) {
      var chartValues = ChartValues.of(Map.of("text", "swordfish")).asSecret();
      var install =
          new Install(
              helm.release("r").target(), TestOperations.rollout(TestCharts.HOOK, chartValues, 1));
      var running = new CompletableFuture<HelmResult>();
      var caller = Thread.startVirtualThread(() -> running.complete(helm.cli().run(install)));
      await().atMost(Duration.ofSeconds(30)).until(() -> helm.waitsForHook("r"));
      var credentials = install.target().kubeconfig().get().secrets();
      assertThat(credentials).isNotEmpty();
      for (var process : ProcessHandle.current().descendants().toList()) {
        var seen = shown(process, "cmdline") + shown(process, "environ");
        assertThat(seen).doesNotContain("swordfish");
        assertThat(credentials).noneMatch(seen::contains);
      }
      assertThat(contentIn(directory)).contains("swordfish").contains(credentials);
      caller.interrupt();
      assertThat(running.get()).isEqualTo(new HelmResult.Stopped());
      // What stays is what Helm learned of the API: it is public to whoever may ask the server.
      var left = contentIn(directory);
      assertThat(left).contains("APIResourceList").doesNotContain("swordfish");
      assertThat(credentials).noneMatch(left::contains);
    }
  }

  private static String shown(ProcessHandle process, String file) throws IOException {
    var path = Path.of("/proc", Long.toString(process.pid()), file);
    return Files.exists(path) ? new String(Files.readAllBytes(path), StandardCharsets.UTF_8) : "";
  }

  private static String contentIn(Path directory) throws IOException {
    var content = new StringBuilder();
    try (var files = Files.walk(directory.resolve("data/helm"))) {
      for (var file : files.filter(Files::isRegularFile).toList()) {
        content.append(new String(Files.readAllBytes(file), StandardCharsets.UTF_8));
      }
    }
    return content.toString();
  }
}
